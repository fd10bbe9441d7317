// The numeric constants of the sources, compared with a list.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')
const FOLDERS = ['apps/cli', 'apps/server', 'packages/client', 'packages/transport']

const COMMENT = /^ *\/\*\*[^]*?\*\/\n|^ *\/\/.*\n| +\/\/ .*$/gm
/** `const NAME: Type = value` at the top level. A further line of the value is indented or closes a bracket. */
const CONSTANT = /^(?:export )?const ([A-Z][A-Z\d_]*)(?:: .+?)? = (.*(?:\n[ \])}].*)*)/gm
/** Not `'60000'` and `'10m'`, which are numbers. */
const WORD = /'(?!\d+m?')[^'\s]*'/g
const NUMBER = /(?<![\w.])\d|Math\./
/** A function, a template, a pattern or a sentence. The defaults of the settings are in SETTINGS.md. */
const OTHER_VALUE = /=>|`|^\/|'[\d ]*[a-z]{2}/i

const isNumeric = (value: string) => NUMBER.test(value) && !OTHER_VALUE.test(value)

const numbersOf = (path: string) =>
  [...readFileSync(join(ROOT, path), 'utf8').replaceAll(COMMENT, '').matchAll(CONSTANT)]
    .filter(([, , value]) => isNumeric(value!.replaceAll(WORD, '')))
    .map(([, name, value]) => `${path}: ${name} = ${value}\n`)

/**
 * A test of behavior rarely fails for a limit, a time-out or a retention time that is twice as large. This one does, so
 * that the change of a number is a decision. It compares named constants only. That a constant is used is left to the
 * tests of behavior.
 */
test('the numeric constants are those of numbers.txt', async () => {
  const paths = globSync(
    FOLDERS.map((folder) => `${folder}/src/**/*.ts`),
    { cwd: ROOT },
  )
  // If the change is wanted, `npm run test:one -- numbers -u` writes the file.
  await expect(paths.toSorted().flatMap(numbersOf).join('')).toMatchFileSnapshot('numbers.txt')
})
