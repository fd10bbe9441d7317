import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeArchive } from '../archive.ts'

const CONTENTS: [string, string][] = [
  ['b.txt', 'x'.repeat(513)],
  ['a/run.sh', '#!/bin/sh\n'],
  ['a/empty', ''],
  [`${'folder/'.repeat(20)}${'n'.repeat(110)}.html`, 'long'],
]
const DATE = new Date('2026-11-25T08:15:00Z')

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tiwala-archive-'))))
afterAll(() => rmSync(folder, { recursive: true }))

async function archiveOf(contents: [string, string][]): Promise<Buffer> {
  const path = join(folder, 'x.tar.gz')
  await writeArchive(path, new Map(contents.map(([name, text]) => [name, Buffer.from(text)])), DATE)
  return readFileSync(path)
}

test('tar unpacks every file, with a mode and a time that depend on nothing else', async () => {
  await archiveOf(CONTENTS)
  execFileSync('tar', ['-xpf', 'x.tar.gz'], { cwd: folder })
  for (const [path, text] of CONTENTS) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
  const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777
  expect(['a', 'a/run.sh', 'a/empty'].map(modeOf)).toEqual([0o755, 0o755, 0o644])
  expect(statSync(join(folder, 'a/empty')).mtime).toEqual(DATE)
})

test('the order in which the files were found and the umask change nothing', async () => {
  const first = await archiveOf(CONTENTS)
  const umask = process.umask(0o077)
  const second = await archiveOf(CONTENTS.toReversed()).finally(() => process.umask(umask))
  expect(second.equals(first)).toBe(true)
})
