// When a built site is out of date.
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { INPUTS } from '../build-site.ts'

const DOCS = join(import.meta.dirname, '..')
const ROOT = join(DOCS, '../..')
/** Not those of types. */
const IMPORTS = /^import (?!type )[^;]*?from '(@tiwala\/[^']+)'/gm

test('what the pages import from another workspace is an input of the site', () => {
  const files = globSync(['src/**/*.{ts,astro}', 'integration/*.ts'], { cwd: DOCS })
  const imported = new Set(
    files.flatMap((file) =>
      [...readFileSync(join(DOCS, file), 'utf8').matchAll(IMPORTS)].map(([, name]) =>
        relative(ROOT, fileURLToPath(import.meta.resolve(name!))),
      ),
    ),
  )
  expect(imported).toContain('apps/server/src/diagnostics/checks.ts')
  expect([...imported].filter((path) => !INPUTS.some((input) => `${path}/`.startsWith(`${input}/`)))).toEqual(
    [],
  )
})
