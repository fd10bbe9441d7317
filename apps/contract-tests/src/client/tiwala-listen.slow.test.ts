// The command that sends the events of a sandbox to the server of a developer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '@tiwala/client'
import { freePort } from '@tiwala/server/testing'
import { startWebhookReceiver } from '@tiwala/server/testing-receiver'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { follow } from '../../../../packages/client/src/listen/follow.ts'
import { createInboxClient, event } from '../kit/sandbox-inbox.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const COMMAND = join(ROOT, 'packages/client/dist/tiwala-listen.js')

// A separate service, because other tests cause events of the default sandbox's partner.
const service = await startServiceForFile({})
const inbox = await createInboxClient(service)
const received: string[] = []
const receiver = await startWebhookReceiver((res, { headers, body }) => {
  const verified = verifyWebhook(body, headers, inbox.secret).then(({ id }) => received.push(id))
  void verified.then(
    () => res.writeHead(204).end(),
    () => res.writeHead(400).end(),
  )
})
afterAll(receiver.close)

function start(...given: string[]) {
  const child = spawn(process.execPath, [COMMAND, ...given], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += String(chunk)))
  const exitCode = once(child, 'close').then(([code]) => code as number)
  return { child, errors: text(child.stderr), exitCode, output: () => output }
}

describe('tiwala-listen', () => {
  // The pages have the address of their own server instead of http://localhost:8080.
  test.each(['apps/docs/src/content/docs/guides/webhooks.mdx', 'packages/client/README.md'])(
    'the command in %s follows the sandbox whose address it has',
    async (path) => {
      const page = await readFile(join(ROOT, path), 'utf8')
      const [, options] = /^npx --package \S+ tiwala-listen ([^]*?)\n```$/m.exec(page)!
      const words = options!.replaceAll('http://localhost:8080', service.url).split(/[\s\\]+/)
      const { child, output } = start(...words)
      await expect.poll(output).toContain(`Events of ${service.url}/sandbox go to`)
      child.kill('SIGINT')
    },
  )

  test('sends each new event with a signature that the server accepts, and prints a line for each', async () => {
    const { id: earlier } = await inbox.postSigned(event('webhook.test'))
    const { child, output } = start(receiver.url, '--sandbox', service.url)
    await expect.poll(output).toContain(`go to ${receiver.url}`)
    const data = { tracking_no: '7M3K9QXV4T0HB2ZJ6WFE8RC5ND', state: 'ACCEPTED' }
    const { id } = await inbox.postSigned(event('authorization.accepted', data))
    // A repeated delivery is sent again.
    await expect.poll(() => received).toEqual([id])
    await inbox.postSigned(event('authorization.accepted', data), { id })
    await expect.poll(() => received).toEqual([id, id])
    await inbox.post(event('webhook.test'), { id: 'evt_forged', timestamp: '1', signature: 'v1,AAAA' })
    await expect.poll(output).toContain('not sent: the signature is not that of the service')
    expect(output()).toMatch(
      /^\d\d:\d\d:\d\d {2}authorization\.accepted {3}ACCEPTED {3}C5ND {2}204 in \d+ ms$/m,
    )
    expect(received).not.toContain(earlier)
    child.kill('SIGINT')
  })

  test('--replay sends what has arrived, oldest first, and signs an old event again', async () => {
    received.length = 0
    const { id } = await inbox.postSigned(event('profile.viewed'), { ageSeconds: 400 })
    const { child, output } = start(receiver.url, '--sandbox', `${service.url}/sandbox/inbox`, '--replay')
    await expect.poll(() => received.at(-1)).toBe(id)
    expect(received.length).toBeGreaterThan(1)
    expect(output()).not.toContain('400 in')
    child.kill('SIGINT')
  })

  // The keys r and a, which need a terminal.
  test('the last event is sent again, and all of them, with the ids that they have', async () => {
    received.length = 0
    const { id: first } = await inbox.postSigned(event('webhook.test'))
    const { id: last } = await inbox.postSigned(event('webhook.test'))
    const ending = new AbortController()
    const lines: string[] = []
    const { ended, repeat } = follow({
      sandbox: service.url,
      secret: undefined,
      target: receiver.url,
      replay: false,
      signal: ending.signal,
      print: (line) => lines.push(line),
    })
    await expect.poll(() => lines).toHaveLength(1)
    repeat(1)
    await expect.poll(() => received).toEqual([last])
    repeat(Infinity)
    await expect.poll(() => received.slice(1).slice(-2)).toEqual([first, last])
    expect(received.length).toBeGreaterThan(3)
    ending.abort()
    await ended
  })

  test('307: no event goes to the host that a redirect of the server names', async () => {
    received.length = 0
    const redirect = await startWebhookReceiver(
      (res) => void res.writeHead(307, { Location: receiver.url }).end(),
    )
    onTestFinished(redirect.close)
    const { child, output } = start(redirect.url, '--sandbox', service.url)
    await expect.poll(output).toContain(`go to ${redirect.url}`)
    await inbox.postSigned(event('webhook.test'))
    await expect.poll(output).toMatch(/ \d+ in \d+ ms\n/)
    expect([output(), received]).toEqual([expect.stringContaining(' 307 in '), []])
    child.kill('SIGINT')
  })

  test('a server that does not respond, and a sandbox that has ended', async () => {
    const silent = start(`http://127.0.0.1:${await freePort()}`, '--sandbox', service.url, '--replay')
    await expect.poll(silent.output).toContain('no response: ECONNREFUSED')
    silent.child.kill('SIGINT')
    const ended = start(receiver.url, '--sandbox', `${service.url}/sandbox/sbx_${'0'.repeat(22)}`)
    expect(await ended.errors).toMatch(/there is no such sandbox, or it has ended\n$/)
    expect(await ended.exitCode).toBe(1)
  })

  test('a sandbox that accepts a connection and stays silent is asked again', async () => {
    const { timeout } = AbortSignal
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 20))
    onTestFinished(() => void vi.restoreAllMocks())
    let polls = 0
    const silent = await startWebhookReceiver((res) => void (polls++ === 1 || res.end('{"events":[]}')))
    onTestFinished(silent.close)
    const ending = new AbortController()
    const lines: string[] = []
    const { ended } = follow({
      sandbox: silent.url,
      secret: inbox.secret,
      target: receiver.url,
      replay: false,
      signal: ending.signal,
      print: (line) => lines.push(line),
    })
    await expect.poll(() => lines[1]).toMatch(/ does not respond\. Trying again\.$/)
    await expect.poll(() => polls).toBeGreaterThan(2)
    ending.abort()
    await ended
  })

  test('141, silently: the reader of its output has ended', async () => {
    const { child, errors, exitCode, output } = start(receiver.url, '--sandbox', service.url)
    await expect.poll(output).toContain(`go to ${receiver.url}`)
    child.stdout.destroy()
    await inbox.postSigned(event('webhook.test'))
    expect([await exitCode, await errors]).toEqual([141, ''])
  })

  test('Ctrl-C ends it while the server hangs, and sends no event that waits', async () => {
    const hanging = await startWebhookReceiver(() => {})
    onTestFinished(hanging.close)
    for (let count = 0; count < 3; count++) await inbox.postSigned(event('webhook.test'))
    const { child, exitCode, output } = start(hanging.url, '--sandbox', service.url, '--replay')
    await expect.poll(() => hanging.arrivals).toHaveLength(1)
    child.kill('SIGINT')
    expect(await exitCode).toBe(0)
    expect([hanging.arrivals.length, output()]).toEqual([1, expect.stringMatching(/ end\.\n$/)])
  }, 10_000)

  test.each([
    ['no address', [], /^Give one address, that of your server\.\n\nSends the events/],
    ['two addresses', [receiver.url, receiver.url], /^Give one address/],
    ['an address without a scheme', ['localhost:3000'], /^localhost:3000 must be an address like/],
    ['an unknown option', [receiver.url, '--port', '1'], /'--port'/],
    [
      'a sandbox with white space',
      [receiver.url, '--sandbox', `${service.url} `],
      /^--sandbox contains white/,
    ],
  ])('2: %s', async (_what, given, message) => {
    const { errors, exitCode } = start(...given)
    expect([await exitCode, await errors]).toEqual([2, expect.stringMatching(message)])
  })

  test('0: --help', async () => {
    const { exitCode, output } = start('--help')
    expect([await exitCode, output()]).toEqual([0, expect.stringContaining('--replay')])
  })
})
