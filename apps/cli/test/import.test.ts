import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { routes } from '@tiwala/contract'
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { TiwalaError } from '@tiwala/transport'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperatorTransport } from '../src/connect.ts'
import { type Batch, ndjsonBatches } from '../src/ndjson-batches.ts'
import { withRetry } from '../src/with-retry.ts'
import { tiwala, tiwalaJson } from './tiwala.ts'

const example =
  operator.paths[routes.operator.upsertCitizen.path].put.requestBody.content['application/json'].examples
    .citizen.value
const lineOf = (uniqid: string, changes: object = {}) =>
  JSON.stringify({ ...example, profile: { ...example.profile, uniqid, ...changes } })

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'tiwala-import-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('citizen import', () => {
  test('a long file: wrong lines are reported by their line number, the others are written', async () => {
    const lines = Array.from({ length: 1_200 }, (_, index) => lineOf(`BULK-${index + 1}`))
    lines[2] = '{"profile":'
    lines[500] = ''
    lines[1_099] = lineOf('BULK-1100', { birth_date: '17 April' })
    const path = join(folder, 'citizens.ndjson')
    await writeFile(path, lines.join('\n'))
    const { exitCode, stdout, stderr } = await tiwala(['citizen', 'import', '--file', path])
    expect(stdout.split('\n')).toEqual([
      'line 3: is not JSON',
      expect.stringMatching(/^line 1100: profile\.birth_date /),
      '',
    ])
    expect([exitCode, stderr]).toEqual([1, '1197 created, 0 replaced, 2 refused.\n'])
  })

  test('standard input with --json: a line that is not UTF-8 is reported and not sent', async () => {
    const stdin = Buffer.concat([
      Buffer.from(`${lineOf('PIPED-1')}\n`),
      Buffer.of(0xff, 0x0a),
      Buffer.from(lineOf('PIPED-2')),
    ])
    const { exitCode, stdout } = await tiwala(['citizen', 'import', '--file', '-', '--json'], { stdin })
    const errors = [{ line: 2, errors: { line: ['is not UTF-8'] } }]
    expect([exitCode, JSON.parse(stdout)]).toEqual([1, { created: 2, replaced: 0, rejected: 1, errors }])
  })

  test('a citizen is written from a file, and erased only after a confirmation', async () => {
    const path = join(folder, 'citizen.json')
    await writeFile(path, lineOf('SINGLE'))
    expect(await tiwalaJson('citizen', 'upsert', 'SINGLE', '--file', path)).toEqual({
      uniqid: 'SINGLE',
      created: true,
    })
    const argv = ['citizen', 'erase', 'SINGLE']
    for (const typed of ['ANOTHER', 'yes', 'y', '', 'single', 'SINGLE SINGLE']) {
      const unconfirmed = await tiwala(argv, { stdin: `${typed}\n`, isTTY: true })
      expect([unconfirmed.exitCode, unconfirmed.stderr]).toEqual([
        2,
        expect.stringContaining('nothing was done'),
      ])
    }
    expect(await tiwala(argv)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('--yes') as string,
    })
    const erased = await tiwala([...argv, '--json'], { stdin: 'SINGLE\n', isTTY: true })
    expect(JSON.parse(erased.stdout)).toHaveProperty('receipt')
    // The receipt can be read again.
    expect(await tiwalaJson(...argv, '--yes')).toEqual(JSON.parse(erased.stdout))
    expect(await tiwalaJson('erasure', 'show', 'SINGLE')).toEqual(JSON.parse(erased.stdout))
    expect((await tiwala(['citizen', 'erase', 'UNKNOWN', '--yes'])).exitCode).toBe(1)
  })
})

describe('ndjsonBatches', () => {
  async function batchesOf(text: string, limits: { lines: number; bytes: number }): Promise<Batch[]> {
    const batches: Batch[] = []
    for await (const batch of ndjsonBatches(
      Readable.from(Array.from(Buffer.from(text), (byte) => Buffer.of(byte))),
      limits,
    ))
      batches.push(batch)
    return batches
  }

  test('a batch has whole lines only, keeps its limits, and has the number of its first line', async () => {
    const batches = await batchesOf('a\nbb\n\nccc\nd', { lines: 3, bytes: 6 })
    expect(batches.map(({ firstLine, text }) => [firstLine, text])).toEqual([
      [1, 'a\nbb\n\n'],
      [4, 'ccc\nd\n'],
    ])
  })

  test('a line that is too long for one request is left out and reported', async () => {
    const batches = await batchesOf(`a\n${'b'.repeat(50)}\nc`, { lines: 9, bytes: 40 })
    expect(batches.flatMap(({ faults }) => faults)).toEqual([
      { line: 2, errors: { line: ['is too long for one request'] } },
    ])
    expect(batches.map(({ text }) => text.trim()).filter(Boolean)).toEqual(['a', 'c'])
  })
})

describe('withRetry', () => {
  const busy = (status: number, seconds = 7) =>
    new TiwalaError(
      new Response('', { status, headers: { 'Retry-After': String(seconds) } }),
      undefined,
      false,
    )
  const stderr = process.stderr

  test('429, 503: it repeats the request after the time in Retry-After', async () => {
    const refusals = [busy(429), busy(503)]
    const waits: number[] = []
    const call = (async () => {
      const refusal = refusals.shift()
      if (refusal) throw refusal
      return 'done'
    }) as unknown as OperatorTransport
    const quiet = { stderr: Object.assign(Object.create(stderr) as typeof stderr, { write: () => true }) }
    expect(await withRetry(call, quiet, async (ms) => void waits.push(ms))('listKeys', {})).toBe('done')
    expect(waits).toEqual([7_000, 7_000])
  })

  test('429: it waits for at most 600 seconds in all', async () => {
    const waits: number[] = []
    const refusals = Array.from({ length: 10 }, () => busy(429, 250))
    const call = (async () => {
      const refusal = refusals.shift()
      if (refusal) throw refusal
    }) as unknown as OperatorTransport
    const quiet = { stderr: Object.assign(Object.create(stderr) as typeof stderr, { write: () => true }) }
    const retried = withRetry(call, quiet, async (ms) => void waits.push(ms))('listKeys', {})
    await expect(retried).rejects.toMatchObject({ status: 429 })
    expect(waits).toEqual([250_000, 250_000])
  })

  test('Retry-After: 0: it waits for a second each time, and ends', async () => {
    const waits: number[] = []
    const call = (() => Promise.reject(busy(503, 0))) as unknown as OperatorTransport
    const quiet = { stderr: Object.assign(Object.create(stderr) as typeof stderr, { write: () => true }) }
    const wait = async (ms: number) => {
      if (waits.push(ms) > 600) throw new Error('It does not end.')
    }
    await expect(withRetry(call, quiet, wait)('listKeys', {})).rejects.toMatchObject({ status: 503 })
    expect(waits).toEqual(Array.from({ length: 600 }, () => 1_000))
  })

  test('422: it does not repeat the request', async () => {
    const call = (() => Promise.reject(busy(422))) as unknown as OperatorTransport
    await expect(withRetry(call, { stderr })('listKeys', {})).rejects.toMatchObject({ status: 422 })
  })
})
