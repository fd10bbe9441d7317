// A text of the spec names only what its readers can see: fields, parameters, values, operations, components.
import type { Place, Spec } from '../files.ts'
import { closest, explain, isNode, listOf, nodeOf, escaped } from '../rule.ts'

/** Functions of the client, and fields of the sandbox that texts for partners name. */
const OTHER_NAMES = ['verifyWebhook', 'base_url', 'auth_url', 'citizen_url', 'operator_url', 'operationId']
const TEXTS = ['title', 'summary', 'description']
const MAPS_OF_NAMES = [
  'properties',
  'headers',
  'schemas',
  'responses',
  'parameters',
  'securitySchemes',
  'scopes',
]
const CODE_BLOCK = /^ *```[^]*?^ *```/gm
const SOURCE_FILE = /\b[\w/.-]+\.(?:ts|tsx|js|sql)\b|\bapps\/[\w/.-]+|\bsrc\/[\w/.-]+/g
const NAME = /\b(?:[a-z]+(?:_[a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+)\b/g
const COMPONENT = /(?<=`)[A-Z][a-z]+(?:[A-Z][a-z]+)+(?=`)/g

export function namesOutsideTheSpec({ files }: Spec): Place[] {
  const names = new Set<string>(OTHER_NAMES)
  for (const { parsed } of files.values()) collectNames(parsed, names)
  return [...files.values()].flatMap((document) =>
    textsOf(document.parsed).flatMap(({ text, pointer }) => {
      const words = [SOURCE_FILE, NAME, COMPONENT].flatMap((pattern) => text.match(pattern) ?? [])
      return [...new Set(words)]
        .filter((word) => !names.has(word))
        .map((word) => {
          const near = closest(word, names)
          const message = explain(
            `The text names ${word}, which is not in the spec.`,
            'Readers cannot see the inside of the server, and a misspelt name leads nowhere.',
            near ? `${near}?` : 'what the reader sees: a field, an operation, a header.',
          )
          return { document, pointer, message }
        })
    }),
  )
}

function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') {
    // An example may hold JSON as text.
    for (const [, name] of value.matchAll(/"([a-z_]+)":/g)) names.add(name!)
  }
  if (Array.isArray(value)) return value.forEach((item) => collectNames(item, names))
  if (!isNode(value)) return
  for (const key of MAPS_OF_NAMES) for (const name of Object.keys(nodeOf(value[key]))) names.add(name)
  for (const name of [value.name, value.operationId, value.const, ...listOf(value.enum)])
    names.add(String(name))
  for (const inner of Object.values(value)) collectNames(inner, names)
}

function textsOf(value: unknown, pointer = '#'): { text: string; pointer: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => textsOf(item, `${pointer}/${index}`))
  if (!isNode(value)) return []
  const texts = TEXTS.filter((key) => typeof value[key] === 'string').map((key) => ({
    text: String(value[key]).replaceAll(CODE_BLOCK, ''),
    pointer: `${pointer}/${key}`,
  }))
  const inner = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'value')
  return [...texts, ...inner.flatMap(([key, item]) => textsOf(item, `${pointer}/${escaped(key)}`))]
}
