// The server as a process of its own: how it starts and ends, and what survives.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { locate, meet } from './harness.ts'
import { requestText } from './raw-http.ts'
import { complaintOf, startReadyProcess } from './server-process.ts'
import { temporaryFolder, migratedFolder } from './temporary.ts'

const CALLERS = 16

describe('over the embedded database', () => {
  test('it says what to open next, holds its folder alone, and keeps everything over a restart', async () => {
    await using folder = await temporaryFolder()
    await using first = await startReadyProcess({ TIWALA_DATA_DIR: folder.path })
    for (const address of ['/', '/docs', '/sandbox/bootstrap.json']) expect(first.stdout()).toContain(`${first.url}${address}\n`)

    expect(await complaintOf({ TIWALA_DATA_DIR: folder.path })).toContain(
      `The data folder ${folder.path} is in use by another Tiwala process. Stop that one, or give this one its own TIWALA_DATA_DIR.`,
    )
    const before = await meet(first.url)
    const trackingNo = await before.pending()

    // As npm does at Ctrl+C, the signal comes twice; the request under way is still answered.
    const socket = connect(Number(new URL(first.url).port), '127.0.0.1')
    socket.write(requestText('POST', locate('generateToken').path, { 'Content-Type': 'application/json', 'Content-Length': 2 }, '{'))
    await fetch(`${first.url}/healthz`)
    void first.end('SIGTERM')
    while (await fetch(`${first.url}/healthz`).catch(() => undefined)) await new Promise(setImmediate)
    const exitCode = first.end('SIGTERM')
    await expect(fetch(`${first.url}/healthz`)).rejects.toThrow('fetch failed')
    socket.write('}')
    expect(await text(socket)).toContain('HTTP/1.1 422 ')
    expect(await exitCode).toBe(0)
    await using second = await startReadyProcess({ TIWALA_DATA_DIR: folder.path })
    const after = await meet(second.url)
    expect(after.partner).toEqual(before.partner)
    expect(after.citizens.map(({ uniqid }) => uniqid)).toEqual(before.citizens.map(({ uniqid }) => uniqid))
    expect((await (await after.inquire(trackingNo)).json()) as object).toMatchObject({
      data: { tracking_no: trackingNo, is_accepted: null },
    })
    // An identity token from before is still good.
    expect((await after.accept(trackingNo, before.asCitizen)).status).toBe(200)
  })

  test('kill -9 in mid-write: every tracking number that was acknowledged is there', async () => {
    await using folder = await migratedFolder()
    await using first = await startReadyProcess({ TIWALA_DATA_DIR: folder.path })
    const people = await meet(first.url)
    const acknowledged: string[] = []
    const hammering = Array.from({ length: CALLERS }, async () => {
      for (;;) if (acknowledged.push(await people.pending()) === CALLERS) setTimeout(() => void first.end('SIGKILL'), Math.random() * 1_000)
    })
    await Promise.allSettled(hammering)
    await first.exited
    expect(acknowledged.length).toBeGreaterThanOrEqual(CALLERS)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)

    await using second = await startReadyProcess({ TIWALA_DATA_DIR: folder.path })
    const after = await meet(second.url)
    const lost: string[] = []
    const lookUp = async () => {
      for (let trackingNo = acknowledged.pop(); trackingNo; trackingNo = acknowledged.pop())
        if ((await after.inquire(trackingNo)).status !== 200) lost.push(trackingNo)
    }
    await Promise.all(Array.from({ length: CALLERS }, lookUp))
    expect(lost).toEqual([])
  })
})
