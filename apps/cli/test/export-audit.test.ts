// `tiwala audit export --append`: an export that grows.
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AuditEntry } from '../src/audit-entries.ts'
import type { VerificationResult } from '../src/verify-entries.ts'
import { startRestoredService } from './restored-service.ts'
import { tiwala } from './tiwala.ts'

const service = await startRestoredService()
afterAll(service.close)
const file = join(service.folder, 'audit.ndjson')

/** The size of the export after each part, and the partners that were created before each. */
const sizes: number[] = []
const codes: string[] = []

const append = () => service.run('audit', 'export', '--file', file, '--append')
const linesOf = async () => (await readFile(file, 'utf8')).trimEnd().split('\n')

async function verify(path = file): Promise<VerificationResult> {
  const { stdout } = await tiwala(['audit', 'verify', '--export', path, '--json'], { env: {} })
  return JSON.parse(stdout) as VerificationResult
}

beforeAll(async () => {
  for (let part = 0; part < 3; part++) {
    codes.push((await service.partner()).code)
    await vi.waitUntil(
      async () => (await service.operator('verifyAudit', { query: { limit: 1 } })).body.unsealed_rows === 0,
      { timeout: 60_000, interval: 50 },
    )
    await append()
    sizes.push((await stat(file)).size)
  }
})

test('each part has only what is newer, and all together are intact', async () => {
  const entries = (await linesOf()).map((line) => JSON.parse(line) as AuditEntry)
  const checkpoints = entries.flatMap((entry) => ('checkpoint' in entry ? [entry.checkpoint.checkpoint] : []))
  expect(new Set(checkpoints).size).toBe(checkpoints.length)
  expect(entries.filter((entry) => 'end' in entry).length).toBe(3)
  for (const code of codes)
    expect(entries.filter((entry) => JSON.stringify(entry).includes(`"${code}"`)).length).toBe(1)
  const { first_fault, checked_checkpoints } = await verify()
  expect([first_fault, checked_checkpoints]).toEqual([null, checkpoints.length])
})

test('a command that was killed while it copied a part is completed by the next one', async () => {
  const whole = await readFile(file)
  await writeFile(`${file}.${sizes[1]}.part`, whole.subarray(sizes[1]))
  await truncate(file, sizes[1]! + 10)
  await append()
  expect((await readFile(file)).subarray(0, whole.length)).toEqual(whole)
  expect(await readdir(service.folder)).toEqual(['audit.ndjson'])
  expect((await verify()).first_fault).toBeNull()
})

test('checkpoint_missing and chain_broken: a part was removed or replaced', async () => {
  const whole = await readFile(file, 'utf8')
  const changed = join(service.folder, 'changed')
  const verifyChanged = async (text: string) => {
    await writeFile(changed, text)
    const { first_fault } = await verify(changed)
    await rm(changed)
    return first_fault?.what
  }
  const [first, second, third] = [0, 1, 2].map((part) => whole.slice(sizes[part - 1] ?? 0, sizes[part]))
  expect(await verifyChanged(`${first}${third}`)).toBe('checkpoint_missing')
  expect(await verifyChanged(`${second}${third}`)).toBe('checkpoint_missing')
  const { previous_hash } = (
    JSON.parse(second!.split('\n').findLast((line) => line.startsWith('{"checkpoint"'))!) as {
      checkpoint: { previous_hash: string }
    }
  ).checkpoint
  const other = previous_hash.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))
  expect(await verifyChanged(`${first}${second!.replaceAll(previous_hash, other)}${third}`)).toBe(
    'signature_invalid',
  )
})

test('2: a file of another kind, and standard output', async () => {
  const other = join(service.folder, 'other')
  await writeFile(other, '{}\n')
  const refused = await service.run('audit', 'export', '--file', other, '--append')
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('without --append')])
  expect(await readFile(other, 'utf8')).toBe('{}\n')
  expect((await service.run('audit', 'export', '--file', '-', '--append')).exitCode).toBe(2)
})
