// Each warning and error in the log says what happened and then, after a semicolon, what follows or what to
// do.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url))
/** A call with its arguments, to the end of the last text. A constant text has a name in capitals. */
const CALL = /\b(?:log\.(?:warn|error)|warn)\(\s*(?:(?!\n\n)[^'`])*?('[^']*'|[A-Z_]{4,})/g

const calls = globSync('**/*.ts', { cwd: SOURCE }).flatMap((path) => {
  const text = readFileSync(SOURCE + path, 'utf8')
  return [...text.matchAll(CALL)].map(([, found]) => {
    const constant = new RegExp(`const ${found} =\\s*([^]*?)\\n\\n`).exec(text)?.[1]
    return { path, text: constant ?? found! }
  })
})

test('each warning says what follows or what to do', () => {
  expect(calls.length).toBeGreaterThan(10)
  expect(calls.filter(({ text }) => !text.includes('; '))).toEqual([])
})
