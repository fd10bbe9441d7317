import { Readable, Writable } from 'node:stream'
import { inject } from 'vitest'
import { run } from '../src/run.ts'

export type Outcome = { exitCode: number; stdout: string; stderr: string }
type Given = {
  stdin?: string | Buffer
  /** Somebody sits there and types what `stdin` says. */
  isTTY?: boolean
  env?: Record<string, string>
}

/** Runs the program as `main.ts` does, with the shared server and an administrator's token in its environment. */
export async function tiwala(argv: string[], { stdin = '', isTTY = false, env }: Given = {}): Promise<Outcome> {
  const [stdout, stderr] = [collect(), collect()]
  const exitCode = await run(argv, {
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: env ?? { TIWALA_OPERATOR_URL: inject('operatorUrl'), TIWALA_OPERATOR_TOKEN: inject('token') },
  })
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

/** What `--json` prints of a command that works. */
export async function tiwalaJson(...argv: string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await tiwala([...argv, '--json'])
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${exitCode} ${stderr}`)
  return JSON.parse(stdout)
}

let count = 0

/** A partner of one's own; gives its code. */
export async function createPartner(): Promise<string> {
  const code = `CLI_${++count}_${process.pid}`
  await tiwalaJson('partner', 'create', '--code', code, '--name', `Partner ${count}`, '--purpose', 'To test.', '--scope', 'PROFILE_INQUIRE')
  return code
}

function collect() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
