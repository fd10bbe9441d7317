import { type OperationId, routes } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { documents } from '../src/contract-check/documents.ts'
import { handWritten, pathsOf } from './files.ts'

const IDS = Object.values(routes).flatMap((table) => Object.keys(table)) as OperationId[]
const kebab = (id: string) => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

describe('every operation is found at the first guess', () => {
  const files = handWritten(/\.(ts|yaml)$/)
  test.each(IDS)('%s: one file in spec/, one in the server, both named after it', (id) => {
    const named = pathsOf(files).filter((path) =>
      new RegExp(`^(spec/.*/paths|apps/server/src)/(.*/)?${kebab(id)}\\.(ts|yaml)$`).test(path),
    )
    expect(new Set(named.map((path) => path.split('/')[0]))).toEqual(new Set(['apps', 'spec']))
    expect(named).toHaveLength(2)
  })
})

test('a path of the API is typed in spec/ only', () => {
  const own = Object.values(documents).flatMap(({ servers, paths }) => {
    const base = new URL(servers[0]!.url).pathname.replace(/\/$/, '')
    return [
      ...(base ? [base] : []),
      ...Object.keys(paths).flatMap((path) => [path, path.split('{')[0]!.replace(/\/$/, '')]),
    ]
  })
  const literal = new RegExp(
    `["'\`}](${[...new Set(own)].map((path) => path.replaceAll(/[{}]/g, '\\$&')).join('|')})(["'\`?/]|$)`,
    'm',
  )
  const offenders = handWritten(/\.(ts|js|mjs|html|sql)$/).filter(({ text }) => literal.test(text))
  expect(pathsOf(offenders)).toEqual([])
})

test('every integer of every document has bounds that JavaScript and the database can hold', () => {
  const offenders: string[] = []
  let count = 0
  const visit = (value: unknown, place: string) => {
    if (typeof value !== 'object' || value === null) return
    const { type, minimum, maximum } = value as { type?: unknown; minimum?: unknown; maximum?: unknown }
    if ([type].flat().some((name) => name === 'integer' || name === 'number')) {
      count += 1
      const isFixed = 'const' in value || 'enum' in value
      const isBounded = Number.isSafeInteger(minimum) && Number.isSafeInteger(maximum)
      if (!isFixed && !isBounded) offenders.push(place)
    }
    for (const [key, inner] of Object.entries(value))
      if (!/^(examples?|default)$/.test(key)) visit(inner, `${place}/${key}`)
  }
  for (const [name, document] of Object.entries(documents)) visit(document, name)
  expect(offenders).toEqual([])
  expect(count).toBeGreaterThan(70)
})
