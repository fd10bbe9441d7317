// `tiwala audit export`: with `--append`, an export that grows; with `--from` and `--to`, one of a range.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AuditEntry } from '../src/audit-range.ts'
import type { VerificationResult } from '../src/verify-entries.ts'
import { startRestoredService } from './restored-service.ts'
import { tiwala } from './tiwala.ts'

const WITH_LOCK = new URL('../src/with-lock.ts', import.meta.url)

const service = await startRestoredService()
afterAll(service.close)
const file = join(service.folder, 'audit.ndjson')

/** The size of the export after each part, and the partners that were created before each. */
const sizes: number[] = []
const codes: string[] = []

const append = () => service.run('audit', 'export', '--file', file, '--append')
/** All but the locks. */
const files = async () => (await readdir(service.folder)).filter((name) => !name.endsWith('.lock'))
const linesOf = async () => (await readFile(file, 'utf8')).trimEnd().split('\n')

async function verify(path = file, ...argv: string[]): Promise<VerificationResult> {
  const { stdout } = await tiwala(['audit', 'verify', '--export', path, '--json', ...argv], { env: {} })
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
  expect(await files()).toEqual(['audit.ndjson'])
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

describe('a range', () => {
  const numbersIn = (text: string) =>
    [...text.matchAll(/^\{"checkpoint":\{"checkpoint":(\d+)/gm)]
      .map(([, number]) => Number(number))
      .toReversed()
  const exportRange = async (name: string, ...argv: string[]) => {
    const path = join(service.folder, name)
    const { stderr } = await service.run('audit', 'export', '--file', path, ...argv)
    const text = await readFile(path, 'utf8').finally(() => rm(path))
    return { text, stderr, numbers: numbersIn(text) }
  }
  const sealedAt = async (number: number) =>
    (await service.operator('readCheckpoint', { path: { checkpoint: number } })).body.sealed_at
  const verifyText = async (text: string, first: number) => {
    const path = join(service.folder, 'range')
    await writeFile(path, text)
    return verify(path, '--from-checkpoint', String(first)).finally(() => rm(path))
  }

  test('has what was sealed from its start and before its end; two that meet are one export', async () => {
    const all = numbersIn(await readFile(file, 'utf8')).toSorted((a, b) => a - b)
    const [second, last] = [all[1]!, all.at(-1)!]
    const [start, end] = [await sealedAt(second), await sealedAt(last)]
    const before = await exportRange('before', '--to', start)
    const middle = await exportRange('middle', '--from', start, '--to', end)
    expect([before.numbers, middle.numbers]).toEqual([[1], all.slice(1, -1)])
    expect(middle.stderr).toContain(`--from-checkpoint ${second}`)
    const verified = await verifyText(middle.text, second)
    expect(verified).toMatchObject({ first_fault: null, checked_checkpoints: all.length - 2 })
    const { first_position } = (await service.operator('readCheckpoint', { path: { checkpoint: second } }))
      .body
    const { last_position } = (await service.operator('readCheckpoint', { path: { checkpoint: last - 1 } }))
      .body
    expect(verified.checked_rows).toBe(last_position - first_position + 1)
    expect((await verifyText(`${before.text}${middle.text}`, 1)).first_fault).toBeNull()
  })

  test('an event that was edited or removed, and a range that begins elsewhere, are found', async () => {
    const all = numbersIn(await readFile(file, 'utf8')).toSorted((a, b) => a - b)
    const [second, third] = [all[1]!, all[2]!]
    const { text } = await exportRange('changed', '--from', await sealedAt(second))
    const whatOf = async (changed: string, first: number) =>
      (await verifyText(changed, first)).first_fault?.what
    expect(await whatOf(text, second)).toBeUndefined()
    expect(await whatOf(text.replace(/"actor":"[^"]*"/, '"actor":"other"'), second)).toBe('event_altered')
    expect(await whatOf(text.replace(/^\{"event".*\n/m, ''), second)).toBe('leaf_missing')
    expect(await whatOf(text, 1)).toBe('checkpoint_missing')
    expect(await whatOf(text, third)).toBe('checkpoint_missing')
  })

  test('the text says what the range is, and needs a file for it; copies of later checkpoints do not count', async () => {
    const all = numbersIn(await readFile(file, 'utf8')).toSorted((a, b) => a - b)
    const [second, last] = [all[1]!, all.at(-1)!]
    const { text } = await exportRange('said', '--from', await sealedAt(second), '--to', await sealedAt(last))
    const [path, kept] = ['said', 'kept'].map((name) => join(service.folder, name)) as [string, string]
    await writeFile(path, text)
    const copy = (await service.run('audit', 'checkpoint', String(last), '--json')).stdout
    await writeFile(kept, copy)
    const argv = ['audit', 'verify', '--from-checkpoint', String(second)]
    const { stdout } = await tiwala([...argv, '--export', path, '--kept', kept], { env: {} })
    await writeFile(kept, copy.replaceAll(`"checkpoint": ${last}`, `"checkpoint": ${second}`))
    const altered = await tiwala([...argv, '--export', path, '--kept', kept], { env: {} })
    await Promise.all([path, kept].map((each) => rm(each)))
    expect(stdout).toContain(`The audit from checkpoint ${second} to ${last - 1} is intact.`)
    expect(altered.stdout).toContain('checkpoint_altered')
    expect((await service.run(...argv, '--independent')).exitCode).toBe(2)
  })

  test('2: an empty range, no time, and a range that is added to a file', async () => {
    const exportWith = async (...argv: string[]) =>
      (await service.run('audit', 'export', '--file', join(service.folder, 'none'), ...argv)).exitCode
    expect(await exportWith('--from', '2999-01-01')).toBe(2)
    for (const noTime of ['yesterday', '2026-02-30', '2026-13-01', '01/02/2026', '2026-01-01T00:00'])
      expect([noTime, await exportWith('--to', noTime)]).toEqual([noTime, 2])
    expect(await exportWith('--append', '--to', '2999-01-01')).toBe(2)
    expect(await files()).toEqual(['audit.ndjson'])
  })
})

describe('a part that was left behind', () => {
  const leave = (name: string) => writeFile(join(service.folder, name), 'not of this export\n')

  test.each([
    ['a full export', []],
    ['an export of a range', ['--from', '2000-01-01']],
  ])('is removed by %s', async (_what, argv) => {
    await leave(`audit.ndjson.${sizes[0]}.part`)
    expect((await service.run('audit', 'export', '--file', file, ...argv)).exitCode).toBe(0)
    expect((await append()).exitCode).toBe(0)
    expect(await files()).toEqual(['audit.ndjson'])
    expect((await verify()).first_fault).toBeNull()
  })

  test('is removed if its export was moved away or is too small for it', async () => {
    const before = await readFile(file)
    const moved = join(service.folder, 'moved')
    await leave(`audit.ndjson.${before.length + 1}.part`)
    expect((await append()).exitCode).toBe(0)
    expect((await readFile(file)).subarray(0, before.length)).toEqual(before)
    await rename(file, moved)
    await leave('audit.ndjson.10.part')
    expect((await append()).exitCode).toBe(0)
    expect((await verify()).first_fault).toBeNull()
    await rename(moved, file)
    expect(await files()).toEqual(['audit.ndjson'])
  })

  test('of another file stays', async () => {
    const others = ['audit.ndjson.old.10.part', 'audit.ndjson.10.part.copy', 'other.audit.ndjson.10.part']
    for (const name of others) await leave(name)
    expect((await append()).exitCode).toBe(0)
    expect(await files()).toEqual(['audit.ndjson', ...others].toSorted())
    for (const name of others) await rm(join(service.folder, name))
    expect((await verify()).first_fault).toBeNull()
  })
})

describe('the lock of an export', () => {
  const lock = `${file}.lock`

  test('2: other commands write the same file', async () => {
    const outcomes = await Promise.all([append(), append(), append()])
    expect(outcomes.map(({ exitCode }) => exitCode).toSorted((a, b) => a - b)).toEqual([0, 2, 2])
    expect(outcomes.map(({ stderr }) => stderr).join('')).toContain(
      `Another command writes ${file}. Wait until it ends.`,
    )
    expect(await files()).toEqual(['audit.ndjson'])
    expect((await verify()).first_fault).toBeNull()
  })

  test('2, then 0: the lock ends with its process, also if that is killed', async () => {
    const text = `import('${WITH_LOCK.href}').then(({ withLock }) =>
      withLock(process.argv[1], () => new Promise((resolve) => setInterval(() => console.log('locked'), 10))))`
    const child = spawn(process.execPath, ['--eval', text, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    expect((await append()).exitCode).toBe(2)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect((await append()).exitCode).toBe(0)
  })

  test('2: its file is of another kind', async () => {
    await writeFile(lock, '4711 on audit-1')
    const { exitCode, stderr } = await append()
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/^Cannot lock .*lock: .* remove the lock\.$/m),
    ])
    expect(await readFile(lock, 'utf8')).toBe('4711 on audit-1')
    await rm(lock)
  })
})

describe('2: after a restore, the file is not continued', () => {
  /** The file as an earlier version wrote it. */
  const withoutSignature = async () => {
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll(/^(\{"end":\{"checkpoint":\d+),"signature":"[\w-]+"/gm, '$1'))
  }
  const seal = async () => {
    await service.partner()
    await vi.waitUntil(
      async () => (await service.operator('verifyAudit', { query: { limit: 1 } })).body.unsealed_rows === 0,
      { timeout: 60_000, interval: 50 },
    )
  }
  const refusal = async () => {
    const before = await readFile(file)
    const { exitCode, stderr } = await append()
    expect([exitCode, await readFile(file), await files()]).toEqual([2, before, ['audit.ndjson']])
    return stderr
  }
  const newest = async () => (await service.operator('listAuditKeys', {})).body.latest_checkpoint!

  /** Restores a backup after the file was continued. Returns the checkpoint with which the file ends. */
  const restoreAfterAppend = async (prepare: () => Promise<void> = async () => {}) => {
    const restore = await service.backUp()
    await seal()
    expect((await append()).exitCode).toBe(0)
    const end = await newest()
    await prepare()
    // As long as no backup is restored, the file is continued.
    expect((await append()).exitCode).toBe(0)
    await restore()
    expect(await refusal()).toContain(
      `${file} ends with checkpoint ${end}, and the audit of the service does not have it: a backup was restored`,
    )
    return end
  }
  const startNewFile = async () => {
    await rename(file, `${file}.kept`)
    expect((await append()).exitCode).toBe(0)
    await rm(`${file}.kept`)
    return (await verify()).first_fault
  }

  test('also when the audit has as many checkpoints again', async () => {
    const end = await restoreAfterAppend()
    while ((await newest()) <= end) {
      await seal()
      await refusal()
    }
    expect(await refusal()).toContain('has another one with this number')
    expect(await startNewFile()).toBeNull()
  })

  test('of an earlier version, as long as the audit has fewer checkpoints', async () => {
    await restoreAfterAppend(withoutSignature)
    expect(await startNewFile()).toBeNull()
  })
})

test('a new export is for its owner only; one that takes the place of another has its mode', async () => {
  const path = join(service.folder, 'modes.ndjson')
  const modeAfterExport = async () => {
    await service.run('audit', 'export', '--file', path)
    return (await stat(path)).mode & 0o777
  }
  expect(await modeAfterExport()).toBe(0o600)
  await chmod(path, 0o640)
  expect(await modeAfterExport()).toBe(0o640)
  await rm(path)
})

test('2: the disk is full', async () => {
  const full = join(service.folder, 'full')
  await symlink('/dev/full', `${full}.writing`)
  const { exitCode, stderr } = await service.run('audit', 'export', '--file', full)
  await rm(`${full}.writing`)
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining(`Cannot use the file ${full}.writing: ENOSPC.`),
  ])
  expect(await files()).toEqual(['audit.ndjson'])
})

test('2: a file of another kind, and standard output', async () => {
  const other = join(service.folder, 'other')
  await writeFile(other, '{}\n')
  const refused = await service.run('audit', 'export', '--file', other, '--append')
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('without --append')])
  expect(await readFile(other, 'utf8')).toBe('{}\n')
  expect((await service.run('audit', 'export', '--file', '-', '--append')).exitCode).toBe(2)
})
