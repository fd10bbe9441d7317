import { join } from 'node:path'
import type { DocumentName } from '@tiwala/contract'

/**
 * One build of the documentation: for one environment, with the documents that a listener of the server
 * serves.
 */
export type Site = { environment: 'sandbox' | 'live'; documents: readonly DocumentName[] }

export const ALL: Site = { environment: 'sandbox', documents: ['partner', 'citizen-app', 'operator'] }

/** The name of a site's folder in `dist`: `live.partner.citizen-app`. */
export const nameOf = ({ environment, documents }: Site) => [environment, ...documents].join('.')

function siteNamed(name: string): Site {
  const [environment, ...documents] = name.split('.')
  return { environment, documents } as Site
}

/** The site that this process builds. `build.ts` names it. */
export const site = siteNamed(process.env['TIWALA_DOCS_SITE'] ?? nameOf(ALL))

/** `build.ts` moves a finished site to its place. */
export const outDir = process.env['TIWALA_DOCS_OUT'] ?? join(import.meta.dirname, '../dist/preview')
