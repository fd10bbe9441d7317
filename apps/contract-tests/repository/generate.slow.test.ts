import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SPEC } from '@tiwala/contract/bundle'
import { generate } from '@tiwala/contract/generate'
import { expect, onTestFinished, test } from 'vitest'
import { lineOf } from '../../../packages/contract/compatibility/places.ts'

const PARTNER = 'partner/openapi.yaml'
const OPERATOR_PATH = 'operator/paths/list-keys.yaml'

/** A copy of spec/ that a test may change. */
async function copySpec() {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-generate-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [spec, target] = [join(folder, 'spec'), join(folder, 'generated')]
  await cp(SPEC, spec, { recursive: true })
  const edit = async (file: string, from: string, to: string) => {
    const text = await readFile(join(spec, file), 'utf8')
    expect(text).toContain(from)
    await writeFile(join(spec, file), text.replace(from, to))
  }
  return { spec, target, edit }
}

test('a mistake in one document leaves the generated files of all documents, and is named', async () => {
  const { spec, target, edit } = await copySpec()
  const readTarget = async () =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(target)).map(async (name) => [name, await readFile(join(target, name), 'utf8')]),
      ),
    ) as Record<string, string>

  expect(await generate(spec, target)).toHaveLength(17)
  const before = await readTarget()
  await edit(PARTNER, 'title: ', 'title: New ')
  await edit(OPERATOR_PATH, 'schemas/Key', 'schemas/Missing')
  await expect(generate(spec, target)).rejects.toThrow(new RegExp(`^spec/${OPERATOR_PATH}:\\d+:\\d+ `, 'm'))
  expect(await readTarget()).toEqual(before)

  await edit(OPERATOR_PATH, 'schemas/Missing', 'schemas/Key')
  expect(await generate(spec, target)).toEqual([
    'partner.json',
    'partner-3.0.json',
    'partner-3.0-headers.json',
    'partner-postman.json',
  ])
  expect(await generate(spec, target)).toEqual([])

  await edit('CHANGELOG.md', '\n## ', '\n## 99.0.0\n\n- New.\n\n## ')
  await generate(spec, target)
  const files = await readTarget()
  const versions = ['partner.json', 'citizen-app.json', 'operator.json', 'partner-3.0.json'].map(
    (name) => (JSON.parse(files[name]!) as { info: { version: string } }).info.version,
  )
  expect(versions).toEqual(['99.0.0', '99.0.0', '99.0.0', '99.0.0'])
})

test.each(['responses/my-own.yaml', 'schemas/sso-profile.yaml'])(
  'a file written by hand where generated files are is kept, and named: %s',
  async (path) => {
    const { spec, target } = await copySpec()
    await writeFile(join(spec, path), 'description: Mine.\n')
    await expect(generate(spec, target)).rejects.toThrow(`Nothing was generated.\nspec/${path}:1:1 `)
    expect(await readFile(join(spec, path), 'utf8')).toBe('description: Mine.\n')
  },
)

test('a generated response that no source names is removed', async () => {
  const { spec, target } = await copySpec()
  const old = join(spec, 'responses/old.yaml')
  await cp(join(spec, 'responses/unavailable.yaml'), old)
  await generate(spec, target)
  await expect(readFile(old)).rejects.toThrow('ENOENT')
})

test('the files that editors and systems write beside those of spec/ are ignored, and kept', async () => {
  const { spec, target, edit } = await copySpec()
  const paths = ['errors', 'responses', 'schemas', 'operator/paths'].flatMap((folder) =>
    ['.DS_Store', '.own.yaml.swp', 'own.yaml~', '._own.yaml'].map((name) => join(spec, folder, name)),
  )
  for (const path of paths) await writeFile(path, '\0')
  // A lock of Emacs is a link to no file.
  const lock = join(spec, 'operator/paths/.#own.yaml')
  await symlink('user@host.1', lock)
  await generate(spec, target)
  for (const path of paths) expect(await readFile(path, 'utf8')).toBe('\0')
  expect(lineOf(spec, 'operator', 'listKeys')).toContain(OPERATOR_PATH)
  // Only a mistake is linted.
  await edit(OPERATOR_PATH, 'schemas/Key', 'schemas/Missing')
  const error: unknown = await generate(spec, target).catch((thrown: unknown) => thrown)
  expect((error as Error).message).toMatch(new RegExp(`^Nothing was generated\\.\nspec/${OPERATOR_PATH}:`))
  expect((error as Error).message).not.toContain('own.yaml')
})

test.each([
  ['no heading', '# Changes\n\n- New.\n', 1],
  ['no version', '# Changes\n\n## Unreleased\n\n## 0.1.0\n', 3],
  ['half a version', '# Changes\n\n## 1.2\n', 3],
])('a changelog with %s is refused', async (_what, text, line) => {
  const { spec, target } = await copySpec()
  const readDocument = () => readFile(join(spec, PARTNER), 'utf8')
  const before = await readDocument()
  await writeFile(join(spec, 'CHANGELOG.md'), text)
  await expect(generate(spec, target)).rejects.toThrow(`spec/CHANGELOG.md:${line}:1 The first heading `)
  expect(await readDocument()).toBe(before)
})
