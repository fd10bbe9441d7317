import { type DocumentName, routes } from '@tiwala/contract'
import { withoutSandbox } from '@tiwala/server/live-document'
import text from '../../../../spec/CHANGELOG.md?raw'
import { type Site, site } from '../site.ts'
import { documents } from './documents.ts'

/** An entry of a list with its further lines. */
const ENTRY = /^- .*(?:\n {2}.*)*\n?/gm
const PUBLISHED = /^Published on (\d{4}-\d{2}-\d{2})\.$/m
const FOR_ADMINISTRATORS = /^- (\*\*Breaking:\*\* )?for administrators/i
/** Of all operations, also those that this site does not show. */
const DOCUMENT_OF = new Map(
  Object.entries(routes).flatMap(([document, operations]) =>
    Object.keys(operations).map((id) => [id, document as DocumentName]),
  ),
)
/** What an entry says if it names no operation. */
const WORDS: [DocumentName, RegExp][] = [
  ['operator', /\b(administrator|operator)/i],
  ['workbench', /\bworkbench\b/i],
  ['citizen-app', /\bcitizen('s)? app\b/i],
]

/** The API that an entry is about: that of its first words, of the operations that it names, or of its other words. */
export function documentOfEntry(entry: string): DocumentName {
  if (FOR_ADMINISTRATORS.test(entry)) return 'operator'
  const named = [...entry.matchAll(/`(\w+)`/g)].map(([, name]) => DOCUMENT_OF.get(name!))
  if (named.includes('partner')) return 'partner'
  return named.find(Boolean) ?? WORDS.find(([, words]) => words.test(entry))?.[0] ?? 'partner'
}

const isBreaking = (entry: string) => entry.startsWith('- **Breaking')

/** The versions of the contract, newest first, with what changed in each API of this site: first what breaks callers. */
export const changelogOf = (environment: Site['environment']) =>
  (environment === 'live' ? withoutSandbox(text) : text)
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const entries = section.match(ENTRY) ?? []
      const parts = [...documents].map(([name, { info }]) => {
        const own = entries
          .filter((entry) => documentOfEntry(entry) === name)
          .toSorted((a, b) => Number(isBreaking(b)) - Number(isBreaking(a)))
        return { name, title: info.title, count: own.length, text: own.join('') }
      })
      return {
        version: section.split('\n')[0]!,
        date: PUBLISHED.exec(section)?.[1],
        parts: parts.filter((part) => part.text),
      }
    })
    .filter(({ parts }) => parts.length)

export const changelog = changelogOf(site.environment)
