// `apps/server/SECURITY.md` names a mutant for each guarantee. `npm run test:guards` runs them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import guards from '../guards.json' with { type: 'json' }
import { ROOT } from '../src/places.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const [, guarantees = ''] = read('apps/server/SECURITY.md').split('\n## Guarantees\n')
const rows = guarantees
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (-+|Guarantee) /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, guarantee, , tests, mutant]) => ({ guarantee, tests, mutant }))

test('each guarantee has a mutant, and each mutant is one of a guarantee', () => {
  const mutants = rows.map(({ mutant }) => mutant)
  expect(new Set(mutants)).toEqual(new Set(Object.keys(guards)))
  expect(mutants).toHaveLength(Object.keys(guards).length)
})

test.each(rows)('$guarantee', ({ tests, mutant }) => {
  const { file, original, test: path } = guards[mutant as keyof typeof guards]
  expect(tests).toContain(`\`${path}\``)
  expect(read(file).split(original)).toHaveLength(2)
})
