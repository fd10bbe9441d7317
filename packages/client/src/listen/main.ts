#!/usr/bin/env node
// `tiwala-listen http://localhost:3000/tiwala/events`: sends the events of a sandbox to a server that the service
// cannot reach, and shows each one.
import { emitKeypressEvents } from 'node:readline'
import { parseArgs } from 'node:util'
import { readEnvironment } from '../environment.ts'
import { follow } from './follow.ts'

const USAGE = `Sends the events of a sandbox to your server, and shows each one.

  tiwala-listen <the address of your server> [options]

  --sandbox <address>  the service, or a sandbox of your own: http://localhost:8080/sandbox/sbx_...
                       (default: TIWALA_BASE_URL, or http://localhost:8080)
  --secret <whsec_...> signs events again whose time your server would refuse
                       (default: TIWALA_WEBHOOK_SECRET; for the shared sandbox: its secret)
  --replay             starts with the events that have already arrived
  --help               prints this text

Keys: r sends the last event again, a sends all again, q ends.`

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sandbox: { type: 'string' },
      secret: { type: 'string' },
      replay: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const [target] = positionals
  if (target === undefined || positionals.length > 1)
    throw new TypeError(`Give one address, that of your server.\n\n${USAGE}`)
  if (!URL.canParse(target) || !/^https?:$/.test(new URL(target).protocol))
    throw new TypeError(`${target} must be an address like http://localhost:3000/tiwala/events.`)
  return { ...values, target }
}

/** The exit code that a shell reports for a program that wrote into a closed pipe. */
const BROKEN_PIPE = 141

// A reader such as `| head` closes the pipe after the first lines. The rest of the output has no reader.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? BROKEN_PIPE : 1))

try {
  const given = readArguments()
  if (given) await run(given)
  else console.log(USAGE)
} catch (error) {
  console.error((error as Error).message)
  // As of `client`: 2 for a mistake in the arguments, which is a TypeError.
  process.exitCode = error instanceof TypeError ? 2 : 1
}

async function run({ target, sandbox, secret, replay }: NonNullable<ReturnType<typeof readArguments>>) {
  const ending = new AbortController()
  const following = follow({
    sandbox: sandbox ?? readEnvironment('TIWALA_BASE_URL') ?? 'http://localhost:8080',
    secret: secret ?? readEnvironment('TIWALA_WEBHOOK_SECRET'),
    target,
    replay,
    signal: ending.signal,
    print: (line) => console.log(line),
  })
  const { stdin } = process
  if (stdin.isTTY) {
    emitKeypressEvents(stdin)
    stdin.setRawMode(true)
    stdin.on('keypress', (_text, key: { name?: string; ctrl?: boolean }) => {
      if (key.name === 'q' || (key.ctrl && key.name === 'c')) ending.abort()
      else if (key.name === 'r' || key.name === 'a') following.repeat(key.name === 'r' ? 1 : Infinity)
    })
  }
  process.once('SIGINT', () => ending.abort())
  await following.ended.finally(() => stdin.isTTY && stdin.setRawMode(false).unref())
}
