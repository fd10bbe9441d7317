import { type OperationId, routes } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { documents } from '../src/contract-check/documents.ts'
import { expectNone } from './expect-none.ts'
import { handWritten, pathsOf } from './files.ts'

const IDS = Object.values(routes).flatMap((table) => Object.keys(table)) as OperationId[]
const kebab = (id: string) => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

describe('every operation is found at the first guess', () => {
  const files = handWritten(/\.(ts|yaml)$/)
  // The operations of one path share a file of spec/. The linter compares the name of a file with one operation.
  test.each(IDS)('%s: one path file in spec/, one file in the server that is named after it', (id) => {
    const own = files.filter(
      ({ path, text }) =>
        (/^spec\/[\w-]+\/paths\//.test(path) && text.split('\n').includes(`  operationId: ${id}`)) ||
        new RegExp(`^apps/server/src/(.*/)?${kebab(id)}\\.ts$`).test(path),
    )
    expect(
      own.map(({ path }) => path.split('/')[0]!).toSorted(),
      `one file of ${id} in spec/ and one in apps/server/src/, named ${kebab(id)}; there is ${pathsOf(own).join(', ')}`,
    ).toEqual(['apps', 'spec'])
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
  // The compiler checks the paths of the client, the routes of the sandbox are not those of a document, and
  // the test of `npm run dev` edits a copy of one.
  const checked = /^packages\/client\/src\/|^apps\/server\/(src\/sandbox\/routes|stress\/dev\.test)\.ts$/
  const offenders = handWritten(/\.(ts|js|mjs|html|sql)$/).filter(
    ({ path, text }) => !checked.test(path) && literal.test(text),
  )
  expectNone(pathsOf(offenders))
})
