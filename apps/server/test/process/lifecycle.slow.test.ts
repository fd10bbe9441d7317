// The server as a process: how it starts and ends, and which data survive.
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { locate } from '@tiwala/kit/operations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient, type ApiClient } from '../kit/api-client.ts'
import { requestText } from '../kit/raw-http.ts'
import { startupErrorOf, startReadyProcess } from '../kit/server-process.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'
import { findCanaries, writeAllData } from '../kit/write-all-data.ts'

const CALLERS = 16

/** A start over the embedded database takes seconds, so the second test uses the folder of the first one. */
describe('with the embedded database', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => void (folder = await temporaryFolder()))
  afterAll(() => folder[Symbol.asyncDispose]())
  let before: ApiClient
  let trackingNo: string
  let canaries: string[]
  const acknowledged: string[] = []

  test('a first start prints the addresses to open, and locks its data folder', async () => {
    await using first = await startReadyProcess({ TIWALA_DATA_DIR: folder.path })
    for (const address of ['/', '/docs', '/sandbox/bootstrap.json'])
      expect(first.stdout()).toContain(`${first.url}${address}\n`)

    expect(await startupErrorOf({ TIWALA_DATA_DIR: folder.path })).toContain(
      `The data folder ${folder.path} is in use by another Tiwala process. ` +
        'Stop that one, or give this one its own TIWALA_DATA_DIR.',
    )
    before = await createApiClient(first.url)
    trackingNo = await before.createPendingRecord()
    canaries = await writeAllData(before)
    expect(first.stdout(), 'no error is logged').not.toContain('"level":"error"')

    const writers = Array.from({ length: CALLERS }, async () => {
      for (;;)
        if (acknowledged.push(await before.createPendingRecord()) === CALLERS)
          setTimeout(() => void first.end('SIGKILL'), Math.random() * 1_000)
    })
    await Promise.allSettled(writers)
    await first.exited
    expect(acknowledged.length).toBeGreaterThanOrEqual(CALLERS)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
  })

  test('kill -9 loses no data; SIGTERM completes requests; the files hold no secret', async () => {
    await using second = await startReadyProcess({ TIWALA_DATA_DIR: folder.path })
    const after = await createApiClient(second.url)
    expect(after.partner).toEqual(before.partner)
    expect(after.citizens.map(({ uniqid }) => uniqid)).toEqual(before.citizens.map(({ uniqid }) => uniqid))
    expect((await (await after.inquire(trackingNo)).json()) as object).toMatchObject({
      data: { tracking_no: trackingNo, is_accepted: null },
    })
    // An identity token from before the restart is still valid.
    expect((await after.accept(trackingNo, before.asCitizen)).status).toBe(200)

    const lost: string[] = []
    const lookUp = async () => {
      for (let next = acknowledged.pop(); next; next = acknowledged.pop())
        if ((await after.inquire(next)).status !== 200) lost.push(next)
    }
    await Promise.all(Array.from({ length: CALLERS }, lookUp))
    expect(lost).toEqual([])

    // npm sends the signal twice at Ctrl+C. The in-flight request still gets its response.
    const socket = connect(Number(new URL(second.url).port), '127.0.0.1')
    const type = { 'Content-Type': 'application/json', 'Content-Length': 2, Expect: '100-continue' }
    socket.write(requestText('POST', locate('generateToken').path, { Connection: 'keep-alive', ...type }))
    // The server has read the headers when it sends `100 Continue`.
    await once(socket, 'data')
    void second.end('SIGTERM')
    // Idle connections end a moment before the socket closes, so that a request can fail and the next one succeed.
    const isRefused = () =>
      fetch(`${second.url}/healthz`).then(
        () => false,
        (error: Error) => (error.cause as { code?: string }).code === 'ECONNREFUSED',
      )
    while (!(await isRefused())) await new Promise(setImmediate)
    const exitCode = second.end('SIGTERM')
    expect(await isRefused()).toBe(true)
    socket.write('{}')
    const response = await text(socket)
    expect(response).toMatch(/^HTTP\/1\.1 422 /)
    expect(response).toMatch(/^Connection: close\r$/m)
    expect(await exitCode).toBe(0)

    const files = (await readdir(folder.path, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && entry.name !== 'keys.json',
    )
    expect(files.length).toBeGreaterThan(500)
    for (const { parentPath, name } of files) {
      const content = (await readFile(join(parentPath, name))).toString('latin1')
      expect([name, findCanaries(content, canaries)]).toEqual([name, []])
    }
  })
})
