// `apps/server/SECURITY.md` names a seeded bug for each guarantee. `npm run test:guards` runs them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import guards from '../guards/guards.json' with { type: 'json' }

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')
const [, guarantees = ''] = read('apps/server/SECURITY.md').split('\n## Guarantees\n')
const rows = guarantees
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (-+|Guarantee) /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, guarantee, , tests, bug]) => ({ guarantee, tests, bug }))

test('each guarantee has a seeded bug, and each seeded bug belongs to one guarantee', () => {
  const bugs = rows.map(({ bug }) => bug)
  expect(new Set(bugs)).toEqual(new Set(Object.keys(guards)))
  expect(bugs).toHaveLength(Object.keys(guards).length)
})

test.each(rows)('$guarantee', ({ tests, bug }) => {
  const { file, original, test: path } = guards[bug as keyof typeof guards]
  expect(tests).toContain(`\`${path}\``)
  expect(read(file).split(original), `${file} contains the text of "${bug}" once`).toHaveLength(2)
})
