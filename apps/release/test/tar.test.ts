import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tar } from '../tar.ts'

const LONG = `${'folder/'.repeat(20)}${'n'.repeat(90)}.html`
const CONTENTS: [string, string][] = [
  ['b.txt', 'x'.repeat(513)],
  ['a/run.sh', '#!/bin/sh\n'],
  ['a/empty', ''],
  [LONG, 'long'],
]
const archiveOf = (contents: [string, string][]) =>
  tar(new Map(contents.map(([path, text]) => [path, Buffer.from(text)])))

test('tar unpacks every file, with a mode and a time that depend on nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiwala-tar-'))
  writeFileSync(join(folder, 'x.tar'), archiveOf(CONTENTS))
  execFileSync('tar', ['-xpf', 'x.tar'], { cwd: folder })
  for (const [path, text] of CONTENTS) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
  const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777
  expect(['a', 'a/run.sh', 'a/empty'].map(modeOf)).toEqual([0o755, 0o755, 0o644])
  const { mtime } = statSync(join(folder, 'a/empty'))
  expect(mtime).toEqual(new Date('1985-10-26T08:15:00Z'))
  rmSync(folder, { recursive: true })
})

test('the order in which the files were found changes nothing', () => {
  expect(archiveOf(CONTENTS.toReversed())).toEqual(archiveOf(CONTENTS))
})

test.each(['ä.txt', 'n'.repeat(101), `${'f'.repeat(156)}/${'n'.repeat(99)}`])(
  'refuses a name that an archive cannot hold: %s',
  (path) => expect(() => archiveOf([[path, '']])).toThrow(/ASCII name|too long for an archive/),
)
