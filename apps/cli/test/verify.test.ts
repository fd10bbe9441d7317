import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { AuditEntry } from '../src/audit-range.ts'
import type { VerificationResult } from '../src/verify-entries.ts'
import { createPartner, tiwala, tiwalaJson } from './tiwala.ts'

type Entry = {
  checkpoint?: { checkpoint: number; signature: string }
  /** `seal` is null until the event is sealed. */
  event?: { kind: string; seal: { checkpoint: number; leaf: string } }
}

let folder: string
/** An export with at least two checkpoints. `files.keys` has the keys. */
let exportedEntries: Entry[]
let files: { export: string; keys: string; kept: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiwala-verify-'))
  files = {
    export: join(folder, 'audit.ndjson'),
    keys: join(folder, 'keys.json'),
    kept: join(folder, 'kept.json'),
  }
  for (let round = 0; round < 2; round++) {
    await createPartner()
    await vi.waitUntil(
      async () => ((await tiwalaJson('audit', 'verify')) as VerificationResult).unsealed_rows === 0,
      {
        timeout: 60_000,
        interval: 50,
      },
    )
  }
  const exportAll = async () => {
    await tiwala(['audit', 'export', '--file', files.export])
    const lines = (await readFile(files.export, 'utf8')).trimEnd().split('\n')
    return lines.map((line) => JSON.parse(line) as Entry)
  }
  // The service writes its own events at any time, so an export may have events that are not sealed yet.
  exportedEntries = await vi.waitUntil(async () => {
    const entries = await exportAll()
    return entries.every(({ event }) => event?.seal !== null) && entries
  }, 60_000)
  await writeFile(files.keys, JSON.stringify(await tiwalaJson('audit', 'keys')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('audit verify', () => {
  test('0: an unchanged audit is intact for the service and for an independent verification', async () => {
    const online = await tiwala(['audit', 'verify', '--limit', '1'])
    expect([online.exitCode, online.stdout]).toEqual([
      0,
      expect.stringMatching(/^The audit is intact\. Checkpoints: [1-9]/),
    ])
    const independent = await tiwala(['audit', 'verify', '--independent', '--json'])
    expect([
      independent.exitCode,
      (JSON.parse(independent.stdout) as VerificationResult).first_fault,
    ]).toEqual([0, null])
  })

  test('0: after the newest checkpoint nothing is verified; 2: an audit that ends before', async () => {
    const verifyAfterNewest = async () => {
      const { latest_checkpoint } = (await tiwalaJson('audit', 'keys')) as { latest_checkpoint: number }
      const from = (number: number) => tiwala(['audit', 'verify', '--from-checkpoint', String(number)])
      return [await from(latest_checkpoint + 1), await from(latest_checkpoint + 1000)]
    }
    // The service may seal another one meanwhile.
    await expect.poll(verifyAfterNewest).toMatchObject([
      { exitCode: 0, stdout: expect.stringMatching(/^The audit has no checkpoint after \d+ yet\. /) },
      {
        exitCode: 2,
        stdout: '',
        stderr: expect.stringMatching(/the newest checkpoint of the audit is \d+\./),
      },
    ])
  })
})

describe('audit verify --export', () => {
  /** Verifies a changed export. Returns the exit code and the first fault. */
  async function verify(entries: (Entry | AuditEntry)[], ...options: string[]) {
    const path = join(folder, 'changed.ndjson')
    await writeFile(path, entries.map((entry) => JSON.stringify(entry)).join('\n'))
    const { exitCode, stdout } = await tiwala(['audit', 'verify', '--export', path, '--json', ...options], {
      env: {},
    })
    return [exitCode, (JSON.parse(stdout) as VerificationResult).first_fault]
  }
  const sealedIn =
    (number: number) =>
    ({ event }: Entry) =>
      event?.seal.checkpoint === number
  const change = (find: (entry: Entry) => boolean, edit: (entry: Entry) => Entry) => {
    const index = exportedEntries.findIndex(find)
    return exportedEntries.with(index, edit(structuredClone(exportedEntries[index]!)))
  }

  test('0: an unchanged export, without the service, with a copy of the keys', async () => {
    expect(await verify(exportedEntries, '--keys', files.keys)).toEqual([0, null])
  })

  test.each<[string, () => Entry[], object]>([
    [
      'an event was edited',
      () => change(sealedIn(2), ({ event }) => ({ event: { ...event!, kind: 'partner.hidden' } })),
      { checkpoint: 2, what: 'event_altered' },
    ],
    [
      'an event and its leaf were edited',
      () =>
        change(sealedIn(2), ({ event }) => ({
          event: {
            ...event!,
            kind: 'partner.hidden',
            seal: { ...event!.seal, leaf: event!.seal.leaf.replace(event!.kind, 'partner.hidden') },
          },
        })),
      { checkpoint: 2, what: 'root_altered' },
    ],
    [
      'an event was removed',
      () => exportedEntries.toSpliced(exportedEntries.findIndex(sealedIn(1)), 1),
      { checkpoint: 1, what: 'leaf_missing' },
    ],
    [
      'an event was repeated',
      () => [...exportedEntries, exportedEntries.find(sealedIn(1))!],
      { checkpoint: 1, what: 'leaf_added' },
    ],
    [
      'a checkpoint was removed',
      () => exportedEntries.filter(({ checkpoint }) => checkpoint?.checkpoint !== 1),
      { checkpoint: 1, what: 'checkpoint_missing' },
    ],
    [
      'a signature was replaced',
      () =>
        change(
          ({ checkpoint }) => checkpoint?.checkpoint === 1,
          (entry) => ({
            checkpoint: {
              ...entry.checkpoint!,
              signature: exportedEntries.find(({ checkpoint }) => checkpoint?.checkpoint === 2)!.checkpoint!
                .signature,
            },
          }),
        ),
      { checkpoint: 1, what: 'signature_invalid' },
    ],
    [
      'the keys were removed',
      () => exportedEntries.filter((entry) => !('key' in entry)),
      { checkpoint: 1, what: 'key_unknown' },
    ],
  ])('4: %s', async (_, entries, fault) => {
    expect(await verify(entries())).toEqual([4, expect.objectContaining(fault)])
  })

  test('4: the newest checkpoint was removed, which only an archived checkpoint shows', async () => {
    const newest = exportedEntries.find(({ checkpoint }) => checkpoint)!.checkpoint!
    await writeFile(files.kept, JSON.stringify(newest))
    const truncated = exportedEntries.filter(
      ({ checkpoint, event }) =>
        ![checkpoint?.checkpoint, event?.seal.checkpoint].includes(newest.checkpoint),
    )
    expect(await verify(truncated)).toEqual([0, null])
    const fault = { checkpoint: newest.checkpoint, position: null, event: null, what: 'checkpoint_missing' }
    expect(await verify(truncated, '--kept', files.kept)).toEqual([4, fault])
    expect(await verify(exportedEntries, '--kept', files.kept)).toEqual([0, null])
  })

  describe('with an archived log', () => {
    type Checkpoint = { checkpoint: number; root: string }
    /** Writes a log with one line per checkpoint, among other lines, with the prefix of a log collector. */
    async function writeLog(edit: (line: Checkpoint) => object = (line) => line) {
      const checkpoints = exportedEntries
        .flatMap(({ checkpoint }) => (checkpoint ? [checkpoint as unknown as Checkpoint] : []))
        .toReversed()
      const lines = checkpoints.flatMap(({ checkpoint, root }) => [
        JSON.stringify({
          level: 'info',
          request_id: 'req_1',
          operation: 'inquire',
          status: 200,
          msg: 'answered',
        }),
        `2026-11-22T08:00:00Z host tiwala[7]: ${JSON.stringify({
          level: 'info',
          ...edit({ checkpoint, root }),
          msg: 'an audit checkpoint was sealed',
        })}`,
        'not JSON {',
      ])
      await writeFile(files.kept, lines.join('\n'))
      return checkpoints.at(-1)!.checkpoint
    }

    test('0: the audit has every checkpoint that the log names', async () => {
      await writeLog()
      expect(await verify(exportedEntries, '--kept', files.kept)).toEqual([0, null])
    })

    test('4: the newest checkpoint was removed', async () => {
      const newest = await writeLog()
      const truncated = exportedEntries.filter(
        ({ checkpoint, event }) => ![checkpoint?.checkpoint, event?.seal.checkpoint].includes(newest),
      )
      expect(await verify(truncated, '--kept', files.kept)).toEqual([
        4,
        expect.objectContaining({ checkpoint: newest, what: 'checkpoint_missing' }),
      ])
    })

    test('4: a checkpoint has another root than in the log', async () => {
      await writeLog((line) => (line.checkpoint === 1 ? { ...line, root: 'x'.repeat(43) } : line))
      expect(await verify(exportedEntries, '--kept', files.kept)).toEqual([
        4,
        expect.objectContaining({ checkpoint: 1, what: 'checkpoint_altered' }),
      ])
    })

    test('2: the log names no checkpoint', async () => {
      await writeLog(() => ({}))
      const { exitCode, stderr } = await tiwala(['audit', 'verify', '--independent', '--kept', files.kept])
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('names sealed checkpoints')])
    })

    test('0: a single checkpoint over several lines, as the command prints it', async () => {
      await writeFile(files.kept, (await tiwala(['audit', 'checkpoint', '1', '--json'])).stdout)
      expect(await verify(exportedEntries, '--kept', files.kept)).toEqual([0, null])
    })
  })

  test.each(['utf16le', 'utf8'] as const)(
    '0: an export and a checkpoint with a byte order mark, as Windows PowerShell writes them in %s',
    async (encoding) => {
      const path = join(folder, 'windows.ndjson')
      const entries = exportedEntries.map((entry) => `${JSON.stringify(entry)}\r\n`)
      await writeFile(path, `\ufeff${entries.join('')}`, encoding)
      const { stdout } = await tiwala(['audit', 'checkpoint', '1', '--json'])
      await writeFile(files.kept, `\ufeff${stdout.replaceAll('\n', '\r\n')}`, encoding)
      const argv = ['audit', 'verify', '--export', path, '--kept', files.kept, '--keys', files.keys]
      expect(await tiwala(argv, { env: {} })).toMatchObject({ exitCode: 0, stderr: '' })
    },
  )

  test('2: a file that is not an export', async () => {
    expect(await tiwala(['audit', 'verify', '--export', '-'], { stdin: '{}\n' })).toMatchObject({
      exitCode: 2,
      stdout: '',
    })
    expect(await tiwala(['audit', 'verify', '--export', '-'])).toMatchObject({
      exitCode: 2,
      stderr: 'Standard input holds no checkpoint. Give a file from "tiwala audit export".\n',
    })
  })
})

// This test is the last, because it cannot repair the audit.
test('4: a leaf was added in the database, and the service names the place', async () => {
  const body = JSON.stringify({ checkpoint: 1, position: 9_999, event_id: 999_999, hash: 'x' })
  expect((await fetch(inject('tamperUrl'), { method: 'POST', body })).status).toBe(200)
  const { exitCode, stdout } = await tiwala(['audit', 'verify'])
  expect([exitCode, stdout]).toEqual([
    4,
    expect.stringMatching(/NOT intact\. First fault: checkpoint 1, position \d+.*: leaf_/),
  ])
})
