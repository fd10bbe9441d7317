import type { DocumentName } from '@tiwala/contract'
import { documents } from './reference/documents.ts'
import { events } from './reference/events.ts'
import { operations } from './reference/operations.ts'

const TITLES = {
  partner: 'Reference',
  'citizen-app': 'Citizen app reference',
  workbench: 'Workbench reference',
  operator: 'Operator reference',
}

/** The operations of each document, by tag, in the order of the document. */
const references = [...documents].map(([name, { tags }], index) => ({
  label: TITLES[name],
  collapsed: index > 0,
  items: tags
    .map(({ name: tag }) => ({
      label: tag,
      items: operations
        .filter(({ document, spec }) => document === name && spec.tags[0] === tag)
        .map(({ id, spec }) => ({ label: spec.summary, link: `reference/${id}` })),
    }))
    .filter(({ items }) => items.length),
}))

/** The guides of a folder, if this site has the document that they are about. */
const guides = (label: string, directory: string, document: DocumentName, collapsed = false) =>
  documents.has(document) ? [{ label, collapsed, items: [{ autogenerate: { directory } }] }] : []

export const sidebar = [
  ...guides('Guides', 'guides', 'partner'),
  ...guides('Citizen app guides', 'citizen-app', 'citizen-app'),
  ...guides('Operator guides', 'operations', 'operator', documents.has('partner')),
  ...references,
  ...(events.length
    ? [
        {
          label: 'Events',
          collapsed: true,
          items: [
            { label: 'All events', link: 'events' },
            ...events.map(({ type }) => ({ label: type, link: `events/${type}` })),
          ],
        },
      ]
    : []),
  { label: 'Error codes', link: 'errors' },
  ...(documents.has('partner') ? [{ label: 'Changelog', link: 'changelog' }] : []),
  { label: 'OpenAPI documents', link: 'downloads' },
]
