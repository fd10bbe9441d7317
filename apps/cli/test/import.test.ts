import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { routes } from '@tiwala/contract'
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { TiwalaError } from '@tiwala/transport'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../src/connect.ts'
import { linesInParts, type Part } from '../src/lines-in-parts.ts'
import { patiently } from '../src/patiently.ts'
import { answerOf, tiwala } from './tiwala.ts'

const example = operator.paths[routes.operator.upsertCitizen.path].put.requestBody.content['application/json'].examples.citizen.value
const lineOf = (uniqid: string, change: object = {}) => JSON.stringify({ ...example, profile: { ...example.profile, uniqid, ...change } })

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'tiwala-import-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('citizen import', () => {
  test('a file of more lines than one request takes: what is wrong is told by its line in the file, the others are written', async () => {
    const lines = Array.from({ length: 1_200 }, (_, index) => lineOf(`BULK-${index + 1}`))
    lines[2] = '{"profile":'
    lines[500] = ''
    lines[1_099] = lineOf('BULK-1100', { birth_date: '17 April' })
    const path = join(folder, 'citizens.ndjson')
    await writeFile(path, lines.join('\n'))
    const { exitCode, stdout, stderr } = await tiwala(['citizen', 'import', '--file', path])
    expect(stdout.split('\n')).toEqual(['line 3: is not JSON', expect.stringMatching(/^line 1100: profile\.birth_date /), ''])
    expect([exitCode, stderr]).toEqual([1, '1197 created, 0 replaced, 2 refused.\n'])
  })

  test('the same from standard input, as JSON; what is not UTF-8 is never sent', async () => {
    const stdin = Buffer.concat([Buffer.from(`${lineOf('PIPED-1')}\n`), Buffer.of(0xff, 0x0a), Buffer.from(lineOf('PIPED-2'))])
    const { exitCode, stdout } = await tiwala(['citizen', 'import', '--file', '-', '--json'], { stdin })
    const errors = [{ line: 2, errors: { line: ['is not UTF-8'] } }]
    expect([exitCode, JSON.parse(stdout)]).toEqual([1, { created: 2, replaced: 0, rejected: 1, errors }])
  })

  test('one citizen is written from a file, and erased after a confirmation', async () => {
    const path = join(folder, 'citizen.json')
    await writeFile(path, lineOf('SINGLE'))
    expect(await answerOf('citizen', 'upsert', 'SINGLE', '--file', path)).toEqual({ uniqid: 'SINGLE', created: true })
    const argv = ['citizen', 'erase', 'SINGLE']
    const refused = await tiwala(argv, { stdin: 'SOMEBODY\n', isTTY: true })
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('nothing was done')])
    expect(await tiwala(argv)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--yes') as string })
    const erased = await tiwala([...argv, '--json'], { stdin: 'SINGLE\n', isTTY: true })
    expect(JSON.parse(erased.stdout)).toHaveProperty('receipt')
    expect((await tiwala([...argv, '--yes'])).exitCode).toBe(1)
  })
})

describe('linesInParts', () => {
  async function partsOf(text: string, limits: { lines: number; bytes: number }): Promise<Part[]> {
    const parts: Part[] = []
    for await (const part of linesInParts(Readable.from(Array.from(Buffer.from(text), (byte) => Buffer.of(byte))), limits)) parts.push(part)
    return parts
  }

  test('parts end at whole lines, hold what they may, and know where they stand', async () => {
    const parts = await partsOf('a\nbb\n\nccc\nd', { lines: 3, bytes: 6 })
    expect(parts.map(({ firstLine, text }) => [firstLine, text])).toEqual([
      [1, 'a\nbb\n\n'],
      [4, 'ccc\nd\n'],
    ])
  })

  test('a line that fits no request is left blank and told', async () => {
    const parts = await partsOf(`a\n${'b'.repeat(50)}\nc`, { lines: 9, bytes: 40 })
    expect(parts.flatMap(({ faults }) => faults)).toEqual([{ line: 2, errors: { line: ['is longer than a request may be'] } }])
    expect(parts.map(({ text }) => text.trim()).filter(Boolean)).toEqual(['a', 'c'])
  })
})

describe('patiently', () => {
  const busy = (status: number) => TiwalaError.from(new Response('', { status, headers: { 'Retry-After': '7' } }), undefined)
  const stderr = process.stderr

  test('a 429 and a 503 are waited out for as long as the service says', async () => {
    const answers = [busy(429), busy(503)]
    const waits: number[] = []
    const call = (async () => {
      const refusal = answers.shift()
      if (refusal) throw refusal
      return 'done'
    }) as unknown as Call
    const quiet = { stderr: Object.assign(Object.create(stderr) as typeof stderr, { write: () => true }) }
    expect(await patiently(call, quiet, async (ms) => void waits.push(ms))('listKeys', {})).toBe('done')
    expect(waits).toEqual([7_000, 7_000])
  })

  test('any other refusal is passed on at once', async () => {
    const call = (() => Promise.reject(busy(422))) as unknown as Call
    await expect(patiently(call, { stderr })('listKeys', {})).rejects.toMatchObject({ status: 422 })
  })
})
