import { stripTypeScriptTypes } from 'node:module'
import { describe, expect, test } from 'vitest'
import { CODE_EQUIVALENTS } from '../src/code-equivalents.ts'
import { codeMutants, mutate } from '../src/code.ts'

/** The results of `run` of this source: without a mutant, and with each one, by its name. */
async function resultsOf(source: string): Promise<Record<string, unknown>> {
  const { text, mutants } = mutate('file.ts', source)
  let active: string | undefined
  globalThis.isMutant = (id) => id === active
  const code = stripTypeScriptTypes(text, { mode: 'strip' })
  const { run } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
    run: () => unknown
  }
  const results: Record<string, unknown> = {}
  for (const { id, name } of [{ id: undefined, name: 'none' }, ...mutants]) {
    active = id
    try {
      results[name] = run()
    } catch (error) {
      results[name] = (error as Error).message
    }
  }
  return results
}

describe('the mutants of code', () => {
  test('keep one side of a logical expression', async () => {
    expect(await resultsOf('const [a, b] = [1, 2]\nexport const run = () => a && (b ?? 0)')).toEqual({
      none: 2,
      'without "a" && ...': 2,
      'without ... && "b ?? 0"': 1,
      'without "b" ?? ...': 0,
      'without ... ?? "0"': 2,
    })
  })

  test('change a comparison, a sign, a negation or a boolean', async () => {
    const source = 'const [a, b] = [2, 3]\nexport const run = () => [a < b - 1, !(a === b), true]'
    expect(await resultsOf(source)).toEqual({
      none: [false, true, true],
      '"a < b - 1" with <=': [true, true, true],
      '"b - 1" with +': [true, true, true],
      '"!(a === b)" without !': [false, false, true],
      '"a === b" with !==': [false, false, true],
      'false instead of true': [false, true, false],
    })
  })

  test('take the opposite of a method', async () => {
    const source = [
      'const is = (value: number) => value === 1',
      'export const run = () => [[1, 2].some(is), [1, 2]?.every(is), "ab".startsWith("a"), Math.min(1, 2)]',
      'export const other = () => (2).toString()',
    ]
    const results = await resultsOf(source.join('\n'))
    expect(results).toMatchObject({
      none: [true, false, true, 1],
      '"[1, 2].some(is)" with every': [false, false, true, 1],
      '"[1, 2]?.every(is)" with some': [true, true, true, 1],
      '""ab".startsWith("a")" with endsWith': [true, false, false, 1],
      '"Math.min(1, 2)" with max': [true, false, true, 2],
    })
  })

  test('leave out a property of an object', async () => {
    const source = 'const [a, rest] = [1, { d: 4 }]\nexport const run = () => ({ a, "b": { c: 3 }, ...rest })'
    expect(await resultsOf(source)).toEqual({
      none: { a: 1, b: { c: 3 }, d: 4 },
      'without the property "a"': { b: { c: 3 }, d: 4 },
      'without the property ""b": { c: 3 }"': { a: 1, d: 4 },
      'without the property "c: 3"': { a: 1, b: {}, d: 4 },
    })
  })

  test('decide a condition', async () => {
    const source =
      'const is = (value: number) => value > 1\nexport const run = () => { if (is(2)) return "yes" }'
    expect(await resultsOf(source)).toEqual({
      none: 'yes',
      '"value > 1" with >=': 'yes',
      'true instead of "is(2)"': 'yes',
      'false instead of "is(2)"': undefined,
    })
  })

  test('leave a statement out, also between statements that end without a semicolon', async () => {
    const source = [
      'export function run() {',
      '  const calls: number[] = []',
      '  calls.push(1)',
      '  if (calls.length) calls.push(2)',
      '  else calls.push(3)',
      '  if (calls[5] as unknown as number | undefined) throw new Error("refused")',
      '  return calls',
      '}',
    ]
    expect(await resultsOf(source.join('\n'))).toMatchObject({
      none: [1, 2],
      'without "calls.push(1)"': [3],
      'without "calls.push(2)"': [1],
      'true instead of "calls.length"': [1, 2],
      'without "throw new Error("refused")"': [1, 2],
    })
  })

  test('are not in code outside of functions, in types, or at the end of a loop', () => {
    const source = [
      'const isOn = !false',
      'type Off = { value: false }',
      'const run = () => { for (let at = 0; at < 2; at++) {} }',
    ]
    expect(mutate('file.ts', source.join('\n')).mutants).toEqual([])
  })

  test('keep their ids when other code is added', () => {
    const source = 'const run = (a, b) => a || b'
    const idsOf = (text: string) => mutate('file.ts', text).mutants.map(({ id }) => id)
    expect(idsOf(`const other = (c) => !c\n${source}`).slice(1)).toEqual(idsOf(source))
  })
})

test('every reason why a mutant of the code is equivalent belongs to a mutant', () => {
  const mutants = codeMutants().map(({ place, name }) => ({ file: place.split(':')[0]!, name }))
  const unused = CODE_EQUIVALENTS.flatMap(({ statement, names }) =>
    names
      .filter((pattern) => !mutants.some(({ file, name }) => statement.test(file) && pattern.test(name)))
      .map((pattern) => `${statement.source}: ${pattern.source}`),
  )
  expect(unused).toEqual([])
})
