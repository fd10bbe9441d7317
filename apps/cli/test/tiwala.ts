import { Readable, Writable } from 'node:stream'
import { inject } from 'vitest'
import { run } from '../src/run.ts'

export type Outcome = { exitCode: number; stdout: string; stderr: string }
type CliOptions = {
  stdin?: string | Buffer
  /** Whether standard input is a terminal, at which a person types the text of `stdin`. */
  isTTY?: boolean
  /** Whether standard output is a terminal. */
  isTerminal?: boolean
  env?: Record<string, string>
}

/**
 * Runs the CLI as `main.ts` does. By default, its environment has the shared server and an administrator
 * token.
 */
export async function tiwala(
  argv: string[],
  { stdin = '', isTTY = false, isTerminal = false, env }: CliOptions = {},
): Promise<Outcome> {
  const [stdout, stderr] = [collect(), collect()]
  const exitCode = await run(argv, {
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY }),
    stdout: Object.assign(stdout.stream, { isTTY: isTerminal }),
    stderr: stderr.stream,
    env: env ?? { TIWALA_OPERATOR_URL: inject('operatorUrl'), TIWALA_OPERATOR_TOKEN: inject('token') },
  })
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

/** Returns the `--json` output of a command. Throws if the command fails. */
export async function tiwalaJson(...argv: string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await tiwala([...argv, '--json'])
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${exitCode} ${stderr}`)
  return JSON.parse(stdout)
}

/** The command that creates a partner, with all options that it needs. */
export const createCommand = (code: string, name = `Partner ${code}`, scope = 'PROFILE_VIEW') => [
  'partner',
  'create',
  '--code',
  code,
  '--name',
  name,
  '--purpose',
  'To test.',
  '--scope',
  scope,
]

let count = 0

/** Creates a partner and returns its code. */
export async function createPartner(): Promise<string> {
  const code = `CLI_${++count}_${process.pid}`
  await tiwalaJson(...createCommand(code, `Partner ${count}`, 'PROFILE_INQUIRE'))
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
