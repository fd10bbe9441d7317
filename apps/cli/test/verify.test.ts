import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { AuditEntry } from '../src/audit-entries.ts'
import type { VerificationResult } from '../src/verify-entries.ts'
import { tiwalaJson, createPartner, tiwala } from './tiwala.ts'

type Entry = {
  checkpoint?: { checkpoint: number; signature: string }
  /** `seal` is null only until the event is sealed. */
  event?: { kind: string; seal: { checkpoint: number; leaf: string } }
}

let folder: string
/** An export of at least two checkpoints, and the keys beside it. */
let exported: Entry[]
let files: { export: string; keys: string; kept: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiwala-verify-'))
  files = { export: join(folder, 'audit.ndjson'), keys: join(folder, 'keys.json'), kept: join(folder, 'kept.json') }
  for (let round = 0; round < 2; round++) {
    await createPartner()
    await vi.waitUntil(async () => ((await tiwalaJson('audit', 'verify')) as VerificationResult).unsealed_rows === 0, {
      timeout: 60_000,
      interval: 50,
    })
  }
  const exportAll = async () => {
    await tiwala(['audit', 'export', '--file', files.export])
    const lines = (await readFile(files.export, 'utf8')).trimEnd().split('\n')
    return lines.map((line) => JSON.parse(line) as Entry)
  }
  // The service writes events of its own at any time: an export may hold events that are not sealed yet.
  exported = await vi.waitUntil(async () => {
    const entries = await exportAll()
    return entries.every(({ event }) => event?.seal !== null) && entries
  }, 60_000)
  await writeFile(files.keys, JSON.stringify(await tiwalaJson('audit', 'keys')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('audit verify', () => {
  test('an audit that is as it was sealed: the service says so, and so do we', async () => {
    const asked = await tiwala(['audit', 'verify', '--limit', '1'])
    expect([asked.exitCode, asked.stdout]).toEqual([0, expect.stringMatching(/^The audit is intact\. Checkpoints: [1-9]/)])
    const ours = await tiwala(['audit', 'verify', '--independent', '--json'])
    expect([ours.exitCode, (JSON.parse(ours.stdout) as VerificationResult).first_fault]).toEqual([0, null])
  })
})

describe('audit verify --export', () => {
  /** What is found where the export was changed. */
  async function verify(entries: (Entry | AuditEntry)[], ...more: string[]) {
    const path = join(folder, 'changed.ndjson')
    await writeFile(path, entries.map((entry) => JSON.stringify(entry)).join('\n'))
    const { exitCode, stdout } = await tiwala(['audit', 'verify', '--export', path, '--json', ...more], { env: {} })
    return [exitCode, (JSON.parse(stdout) as VerificationResult).first_fault]
  }
  const sealedIn =
    (number: number) =>
    ({ event }: Entry) =>
      event?.seal.checkpoint === number
  const change = (find: (entry: Entry) => boolean, to: (entry: Entry) => Entry) => {
    const at = exported.findIndex(find)
    return exported.with(at, to(structuredClone(exported[at]!)))
  }

  test('0: as it was written, with no service at hand, by keys that were kept', async () => {
    expect(await verify(exported, '--keys', files.keys)).toEqual([0, null])
  })

  test.each<[string, () => Entry[], object]>([
    [
      'an event edited',
      () => change(sealedIn(2), ({ event }) => ({ event: { ...event!, kind: 'partner.hidden' } })),
      { checkpoint: 2, what: 'event_altered' },
    ],
    [
      'an event edited with its leaf',
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
    ['an event left out', () => exported.toSpliced(exported.findIndex(sealedIn(1)), 1), { checkpoint: 1, what: 'leaf_missing' }],
    ['an event told twice', () => [...exported, exported.find(sealedIn(1))!], { checkpoint: 1, what: 'leaf_added' }],
    [
      'a checkpoint left out',
      () => exported.filter(({ checkpoint }) => checkpoint?.checkpoint !== 1),
      { checkpoint: 1, what: 'checkpoint_missing' },
    ],
    [
      'a signature of another',
      () =>
        change(
          ({ checkpoint }) => checkpoint?.checkpoint === 1,
          (entry) => ({
            checkpoint: {
              ...entry.checkpoint!,
              signature: exported.find(({ checkpoint }) => checkpoint?.checkpoint === 2)!.checkpoint!.signature,
            },
          }),
        ),
      { checkpoint: 1, what: 'signature_invalid' },
    ],
    ['the keys left out', () => exported.filter((entry) => !('key' in entry)), { checkpoint: 1, what: 'key_unknown' }],
  ])('4: %s', async (_, entries, fault) => {
    expect(await verify(entries())).toEqual([4, expect.objectContaining(fault)])
  })

  test('4: the newest cut off, which only a kept checkpoint shows', async () => {
    const newest = exported.find(({ checkpoint }) => checkpoint)!.checkpoint!
    await writeFile(files.kept, JSON.stringify(newest))
    const cut = exported.filter(({ checkpoint, event }) => ![checkpoint?.checkpoint, event?.seal.checkpoint].includes(newest.checkpoint))
    expect(await verify(cut)).toEqual([0, null])
    const fault = { checkpoint: newest.checkpoint, position: null, event: null, what: 'checkpoint_missing' }
    expect(await verify(cut, '--kept', files.kept)).toEqual([4, fault])
    expect(await verify(exported, '--kept', files.kept)).toEqual([0, null])
  })

  describe('with a log that was kept', () => {
    type Checkpoint = { checkpoint: number; root: string }
    /** As the service logs it, among other lines, and as a collector stores it. */
    async function keepLog(alter: (line: Checkpoint) => object = (line) => line) {
      const sealed = exported.flatMap(({ checkpoint }) => (checkpoint ? [checkpoint as unknown as Checkpoint] : [])).toReversed()
      const lines = sealed.flatMap(({ checkpoint, root }) => [
        JSON.stringify({ level: 30, request_id: 'req_1', operation: 'inquire', status: 200, msg: 'answered' }),
        `2026-11-22T08:00:00Z host tiwala[7]: ${JSON.stringify({ level: 30, ...alter({ checkpoint, root }), msg: 'an audit checkpoint was sealed' })}`,
        'not JSON {',
      ])
      await writeFile(files.kept, lines.join('\n'))
      return sealed.at(-1)!.checkpoint
    }

    test('0: every checkpoint that it names is there', async () => {
      await keepLog()
      expect(await verify(exported, '--kept', files.kept)).toEqual([0, null])
    })

    test('4: the newest cut off', async () => {
      const newest = await keepLog()
      const cut = exported.filter(({ checkpoint, event }) => ![checkpoint?.checkpoint, event?.seal.checkpoint].includes(newest))
      expect(await verify(cut, '--kept', files.kept)).toEqual([
        4,
        expect.objectContaining({ checkpoint: newest, what: 'checkpoint_missing' }),
      ])
    })

    test('4: another root than it names, in any checkpoint', async () => {
      await keepLog((line) => (line.checkpoint === 1 ? { ...line, root: 'x'.repeat(43) } : line))
      expect(await verify(exported, '--kept', files.kept)).toEqual([
        4,
        expect.objectContaining({ checkpoint: 1, what: 'checkpoint_altered' }),
      ])
    })

    test('2: it names no checkpoint', async () => {
      await keepLog(() => ({}))
      const { exitCode, stderr } = await tiwala(['audit', 'verify', '--independent', '--kept', files.kept])
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('names sealed checkpoints')])
    })

    test('0: one checkpoint over several lines, as the command prints it', async () => {
      await writeFile(files.kept, (await tiwala(['audit', 'checkpoint', '1', '--json'])).stdout)
      expect(await verify(exported, '--kept', files.kept)).toEqual([0, null])
    })
  })

  test('2: what is no export', async () => {
    expect(await tiwala(['audit', 'verify', '--export', '-'], { stdin: '{}\n' })).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await tiwala(['audit', 'verify', '--export', '-'])).toMatchObject({ exitCode: 2, stderr: '- holds no checkpoint.\n' })
  })
})

// The last, since the audit stays as it is then.
test('4: what was tampered with behind the back of the service, told by its place', async () => {
  const body = JSON.stringify({ checkpoint: 1, position: 9_999, event_id: 999_999, hash: 'x' })
  expect((await fetch(inject('tamperUrl'), { method: 'POST', body })).status).toBe(200)
  const { exitCode, stdout } = await tiwala(['audit', 'verify'])
  expect([exitCode, stdout]).toEqual([4, expect.stringMatching(/NOT intact\. First bad place: checkpoint 1, position \d+.*: leaf_/)])
})
