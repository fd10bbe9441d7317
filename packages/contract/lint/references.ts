// The references between the files of the spec.
import { dirname, relative, resolve } from 'node:path'
import type { Document } from '@redocly/openapi-core'
import type { Place, Spec, SpecFiles } from './files.ts'
import { closest, escaped, explain, isNode, type Node, nodeOf, unescaped } from './rule.ts'

export type Reference = { file: string; pointer: string; target: string; fragment: string }

/** Every `$ref` of a file, except in examples, which are data. */
export function referencesOf(file: string, { parsed }: Document): Reference[] {
  const found: Reference[] = []
  const visit = (value: unknown, pointer: string): void => {
    if (Array.isArray(value)) return value.forEach((item, index) => visit(item, `${pointer}/${index}`))
    if (!isNode(value)) return
    if (typeof value.$ref === 'string') {
      const [target = '', fragment = ''] = value.$ref.split('#')
      found.push({
        file,
        pointer: `${pointer}/$ref`,
        target: target ? resolve(dirname(file), target) : file,
        fragment,
      })
    }
    for (const [key, inner] of Object.entries(value))
      if (key !== 'example' && key !== 'value') visit(inner, `${pointer}/${escaped(key)}`)
  }
  visit(parsed, '#')
  return found
}

/** The references that lead nowhere. */
export function danglingReferences({ files }: Spec): Place[] {
  return [...files].flatMap(([file, document]) =>
    referencesOf(file, document).flatMap(({ pointer, target, fragment }) => {
      const found = files.get(target)
      if (found && pointer === '#/$ref' && isCircular(file, files))
        return [{ document, pointer, message: CIRCULAR }]
      if (found && at(found.parsed, fragment) !== undefined) return []
      const wanted = relative(dirname(file), target)
      const near = found
        ? closest(fragment, fragmentsBeside(found.parsed, fragment))
        : closest(
            wanted,
            [...files.keys()].map((path) => relative(dirname(file), path)),
          )
      const message = explain(
        found ? `${wanted || 'The file'} has no ${fragment}.` : `There is no file ${wanted}.`,
        'The document is incomplete, so nothing else was checked.',
        near ? `${found ? `#${near}` : near}?` : 'the path of an existing file, relative to this one.',
      )
      return [{ document, pointer, message }]
    }),
  )
}

const CIRCULAR = explain(
  'The reference leads back to this file.',
  'No tool can resolve it, so nothing else was checked.',
  'the content of the file, or a reference to another file.',
)

/** Whether a file that is only a reference leads to itself. */
function isCircular(start: string, files: SpecFiles): boolean {
  const seen = new Set<string>()
  for (let file: string | undefined = start; file;) {
    if (seen.has(file)) return true
    seen.add(file)
    const { $ref }: Node = nodeOf(files.get(file)?.parsed)
    file = typeof $ref === 'string' && !$ref.includes('#') ? resolve(dirname(file), $ref) : undefined
  }
  return false
}

const partsOf = (fragment: string) => fragment.split('/').filter(Boolean).map(unescaped)

const at = (value: unknown, fragment: string): unknown =>
  partsOf(fragment).reduce<unknown>(
    (node, part) => (node as Record<string, unknown> | undefined)?.[part],
    value,
  )

function fragmentsBeside(value: unknown, fragment: string): string[] {
  const parent = `/${partsOf(fragment).slice(0, -1).join('/')}`
  const siblings = at(value, parent)
  return isNode(siblings) ? Object.keys(siblings).map((name) => `${parent}/${name}`) : []
}
