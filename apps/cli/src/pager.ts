// The pager of the user, such as `less`: it shows long output on a terminal page by page.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { Writable } from 'node:stream'
import type { Io } from './io.ts'
import { UsageError } from './usage-error.ts'

/** `less` ends by itself after a single page, keeps colors, and leaves the text on the screen. */
const DEFAULTS = { LESS: 'FRX', LV: '-c' }
/** The exit code of a shell that does not find the program. */
const NOT_FOUND = 127

const ignore = () => {}

/**
 * Lets `show` write into the pager of the environment, if standard output is a terminal. The pager starts with the first
 * output, so that an error before it has no pager. When the person leaves the pager, the rest has no reader: the function
 * returns, and nothing more is written or read from the service.
 */
export async function withPager(
  io: Io,
  isWanted: boolean | undefined,
  show: (io: Io) => Promise<void>,
): Promise<void> {
  const command = (io.env['TIWALA_PAGER'] ?? io.env['PAGER'] ?? '').trim()
  if (!io.stdout.isTTY || isWanted === false || !command) return show(io)
  // `Promise.withResolvers` is not in Node 20, on which partners run it.
  let end!: (exitCode: number | null) => void
  let fail!: (error: Error) => void
  const closed = new Promise<number | null>((resolve, reject) => void ([end, fail] = [resolve, reject]))
  let pager: ChildProcessByStdio<Writable, null, null> | undefined
  const start = () => {
    const env = { ...DEFAULTS, ...io.env }
    const started = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env })
    started.once('close', end).once('error', fail)
    started.stdin.on('error', ignore)
    // Ctrl+C is for the pager.
    process.on('SIGINT', ignore)
    return started
  }
  const stdout = new Writable({
    // Each write waits for the pager, and after its end forever.
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      pager ??= start()
      pager.stdin.write(chunk, (error) => error ?? done())
    },
  })
  const messages: Buffer[] = []
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // The screen belongs to the pager.
      if (pager) messages.push(chunk)
      else io.stderr.write(chunk)
      done()
    },
  })
  const terminal = { isTTY: true, ...(io.stdout.columns && { columns: io.stdout.columns }) }
  try {
    await Promise.race([show({ ...io, stdout: Object.assign(stdout, terminal), stderr }), closed])
  } finally {
    pager?.stdin.end()
    if (pager) await closed
    process.off('SIGINT', ignore)
    for (const message of messages) io.stderr.write(message)
  }
  if (pager && (await closed) === NOT_FOUND)
    throw new UsageError(`The pager "${command}" does not exist. Set TIWALA_PAGER, or add --no-pager.`)
}
