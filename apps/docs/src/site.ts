import { join } from 'node:path'
import type { DocumentName } from '@tiwala/contract'

/**
 * One build of the documentation: for one environment, with the references of the documents that a listener
 * of the server serves.
 */
export type Site = { environment: 'sandbox' | 'live'; documents: readonly DocumentName[] }

const DIST = join(import.meta.dirname, '../dist')

/** The folder of the built site. The server has the same rule. */
export const outDirOf = ({ environment, documents }: Site) =>
  join(DIST, [environment, ...documents].join('.'))

/** The site that `build.ts` builds in this process. */
export function siteFromEnvironment(): Site & { outDir: string } {
  const [environment, ...documents] = (
    process.env['TIWALA_DOCS_SITE'] ?? 'sandbox.partner.citizen-app.operator'
  ).split('.')
  const site = { environment, documents } as Site
  return { ...site, outDir: outDirOf(site) }
}

export const sidebarOf = (_site: Site) => [
  { label: 'Guides', items: [{ autogenerate: { directory: 'guides' } }] },
]
