// The refused lines that are kept beside an import which stopped.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPosition } from '../src/import-position.ts'
import type { Io } from '../src/io.ts'

test('a refused line of a batch that was not stored is kept once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-position-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'citizens.ndjson')
  await writeFile(path, '{\n')
  const io = { stderr: { write: () => true } } as unknown as Io
  const open = () => openPosition(io, path, 'http://127.0.0.1', true)
  const fault = { line: 1, errors: { line: ['is not JSON'] } }
  // Killed after its refused lines were kept, and before its position was.
  await writeFile(`${path}.position.faults`, `${JSON.stringify(fault)}\n`)
  const { faults, save } = await open()
  expect(faults).toEqual([])
  await save({ bytes: 2, lines: 1, created: 0, replaced: 0, rejected: 1 }, [fault])
  expect((await open()).faults).toEqual([fault])
})
