import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle, DocumentName } from '../../../../packages/contract/bundle.ts'
import { ROOT } from '../files.ts'

type Part = Record<string, unknown>

/** A place, such as `inquire > responses > 200`, and its new value as a function of the old one. */
export type PlacedEdit = [place: string, change: (old: never) => unknown]

/** One edit of one document. */
export type Edit = [title: string, document: DocumentName, ...PlacedEdit]

/** An edit that breaks callers, with the place and the words of its message. */
export type BreakingEdit = [...Edit, message: RegExp]

export const readPublished = (name: DocumentName) =>
  JSON.parse(readFileSync(join(ROOT, `spec/published/${name}.json`), 'utf8')) as Bundle

/** The published document after edits of it. */
export function edited(name: DocumentName, ...edits: PlacedEdit[]): Bundle {
  const document = readPublished(name) as unknown as Part
  for (const [place, change] of edits) {
    const [first, ...way] = place.split(' > ')
    const [owner, key] = find(document, first!)
    const last = way.at(-1) ?? key
    const holder = way.length === 0 ? owner : way.slice(0, -1).reduce(child, child(owner, key))
    const value = (change as (old: unknown) => unknown)(holder[last])
    if (value === undefined) delete holder[last]
    else holder[last] = value
  }
  return document as unknown as Bundle
}

/** Finds an operation by its operationId, its path item, an event, a component, or a key of the document. */
function find(document: Part, name: string): [owner: Part, key: string] {
  const [id, isPath] = [name.replace(/^path of /, ''), name.startsWith('path of ')]
  const paths = child(document, 'paths')
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item as Part))
      if ((operation as Part).operationId === id) return isPath ? [paths, path] : [item as Part, method]
  const events = (document.webhooks ?? {}) as Part
  if (name in events) return [child(events, name), 'post']
  const { schemas, ...others } = child(document, 'components') as Record<string, Part>
  const sections = [schemas!, ...Object.values(others)]
  return [sections.find((section) => name in section) ?? document, name]
}

function child(from: Part, key: string): Part {
  const next = from[key]
  if (typeof next !== 'object' || next === null)
    throw new Error(`no ${key} in ${Object.keys(from).join(', ')}`)
  return next as Part
}

export const replacedBy = (value: unknown) => () => value
export const removed = replacedBy(undefined)
export const withItems =
  (...added: unknown[]) =>
  (old: unknown[] = []) => [...old, ...added]
export const withoutItems =
  (...items: unknown[]) =>
  (old: unknown[]) =>
    old.filter((each) => !items.includes(each))
export const withKeys = (added: object) => (old: object) => ({ ...old, ...added })
export const withRenamedKey = (key: string, name: string) => (old: Part) => {
  const { [key]: value, ...rest } = old
  return { ...rest, [name]: value }
}
export const withoutKey = (key: string) => (old: Part) => {
  const { [key]: _, ...rest } = old
  return rest
}
