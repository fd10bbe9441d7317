// What is kept beside a file whose import stopped.
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPosition } from '../src/import-position.ts'
import type { Io } from '../src/io.ts'

const STOPPED = { bytes: 2, lines: 1, created: 0, replaced: 0, rejected: 1 }

/** A file with one line, and what continues its import. */
async function writeFileToImport() {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-position-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'citizens.ndjson')
  await writeFile(path, '{\n')
  const io = { stderr: { write: () => true } } as unknown as Io
  return { path, open: () => openPosition(io, path, 'http://127.0.0.1', true) }
}

test('a refused line of a batch that was not stored is kept once', async () => {
  const { path, open } = await writeFileToImport()
  const fault = { line: 1, errors: { line: ['is not JSON'] } }
  // Killed after its refused lines were kept, and before its position was.
  await writeFile(`${path}.position.faults`, `${JSON.stringify(fault)}\n`)
  const { faults, save } = await open()
  expect(faults).toEqual([])
  await save(STOPPED, [fault])
  expect((await open()).faults).toEqual([fault])
})

test('an import does not continue in a file with another time or another size', async () => {
  const { path, open } = await writeFileToImport()
  await (await open()).save(STOPPED, [])
  const { atime, mtime } = await stat(path)
  await utimes(path, atime, new Date(mtime.getTime() + 1_000))
  await expect(open()).rejects.toThrow('was changed')
  await writeFile(path, '{ \n')
  await utimes(path, atime, mtime)
  await expect(open()).rejects.toThrow('was changed')
  await writeFile(path, '[\n')
  await utimes(path, atime, mtime)
  expect((await open()).start).toMatchObject(STOPPED)
})
