import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SPEC } from '@tiwala/contract/bundle'
import { generate } from '@tiwala/contract/generate'
import { expect, test } from 'vitest'

const PARTNER = 'partner/openapi.yaml'
const OPERATOR_PATH = 'operator/paths/list-keys.yaml'

test('a mistake in one document leaves the generated files of all documents, and is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-generate-'))
  const [spec, target] = [join(folder, 'spec'), join(folder, 'generated')]
  await cp(SPEC, spec, { recursive: true })
  const edit = async (file: string, from: string, to: string) => {
    const text = await readFile(join(spec, file), 'utf8')
    expect(text).toContain(from)
    await writeFile(join(spec, file), text.replace(from, to))
  }
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
  await rm(folder, { recursive: true })
})
