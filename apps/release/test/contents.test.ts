import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readFiles } from '../contents.ts'

test('a release has the files of a folder, and not those that editors and systems write beside them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-contents-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'charts'))
  const names = ['a.sql', '.a.sql.swp', 'a.sql~', '#a.sql#', '.DS_Store', 'charts/b.yaml', 'charts/._b.yaml']
  for (const name of names) await writeFile(join(folder, name), name)
  const paths = readFiles(folder).map(([path]) => path)
  expect(paths.toSorted()).toEqual(['/a.sql', '/charts/b.yaml'])
})
