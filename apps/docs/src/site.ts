import { join } from 'node:path'
import type { DocumentName } from '@tiwala/contract'

/**
 * One build of the documentation: for one environment, with the documents that a listener of the server
 * serves. The server names it: `live.partner.citizen-app.workbench`.
 */
export type Site = { environment: 'sandbox' | 'live'; documents: readonly DocumentName[] }

const EVERYTHING = 'sandbox.partner.citizen-app.workbench.operator'

/** The site of this process. `build.ts` says which. */
export const site = siteNamed(process.env['TIWALA_DOCS_SITE'] ?? EVERYTHING)

/** `build.ts` moves the finished site to its place. */
export const outDir = process.env['TIWALA_DOCS_OUT'] ?? join(import.meta.dirname, '../dist/preview')

function siteNamed(name: string): Site {
  const [environment, ...documents] = name.split('.')
  return { environment, documents } as Site
}
