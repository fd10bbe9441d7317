// The recipes of the guides for Node. Each one runs as it is, and gets a signed event, a changed one and none.
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { signTestEvent } from '@tiwala/client'
import { freePort } from '@tiwala/server/testing'
import { expect, test, vi } from 'vitest'
import { openProgramFolder } from '../kit/program-folder.ts'
import { SECRET } from '../kit/signed-event.ts'

const GUIDES = join(import.meta.dirname, '../../../docs/src/content/docs/guides')
const readGuide = (name: string) => readFile(join(GUIDES, name), 'utf8')
const guides = (await readGuide('webhook-recipes.mdx')) + (await readGuide('webhooks.mdx'))
const recipes = new Map(
  [...guides.matchAll(/^```js title="(.*?)"\n(.*?)^```/gms)].map(([, title, code]) => [title!, code!]),
)

const programs = await openProgramFolder()

/** Runs a recipe that listens. */
async function start(title: string) {
  const port = await freePort()
  const file = await programs.write(title, recipes.get(title)!.replaceAll(/3000|8790/g, String(port)))
  const output = programs.run(file, { TIWALA_WEBHOOK_SECRET: SECRET })
  const send: Send = async (body, headers) => {
    const url = `http://localhost:${port}/tiwala/events`
    return (await fetch(url, { method: 'POST', body, headers })).status
  }
  return { port, output, send }
}

type Send = (body: string | null, headers: Record<string, string>) => Promise<number>

async function expectVerified(send: Send): Promise<void> {
  const { body, headers } = await signTestEvent({ type: 'webhook.test', data: { is_test: true } }, SECRET)
  await expect.poll(() => send(body, headers).catch(() => 0)).toBe(204)
  expect(await send(`${body} `, headers)).toBe(400)
  expect(await send(body, { 'content-type': 'application/json' })).toBe(400)
  // Not what the frameworks parse by themselves.
  expect(await send(body, { 'content-type': 'application/xml' })).toBe(400)
  expect(await send(null, {})).toBe(400)
}

test.each(['express.mjs', 'fastify.mjs', 'receive-events.mjs'])(
  '%s: 204 for a signed event, 400 for others',
  async (title) => expectVerified((await start(title)).send),
)

test('receive-events.mjs: a request that breaks off does not end the process', async () => {
  const { port, output, send } = await start('receive-events.mjs')
  await expectVerified(send)
  const request = connect(port, 'localhost')
  request.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{', () => request.destroy())
  await expect.poll(output).toContain('Refused: Error: aborted')
  await expectVerified(send)
})

test.each([
  ['hono.mjs', ({ default: app }: Handlers) => app!.fetch],
  ['route.js', ({ POST }: Handlers) => POST!],
])('%s: 204 for a signed event, 400 for others', async (title, handlerOf) => {
  const file = await programs.write(title, recipes.get(title)!)
  const handle = handlerOf((await import(file)) as Handlers)
  vi.stubEnv('TIWALA_WEBHOOK_SECRET', SECRET)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await expectVerified(async (body, headers) => {
    const request = new Request('https://your.example/tiwala/events', { method: 'POST', body, headers })
    return (await handle(request)).status
  })
  log.mockRestore()
  vi.unstubAllEnvs()
})

type Handler = (request: Request) => Response | Promise<Response>
type Handlers = { default?: { fetch: Handler }; POST?: Handler }
