import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { escapeLines, toSafeJson } from './escape-text.ts'
import { UsageError } from './usage-error.ts'

type Output = NodeJS.WritableStream & { isTTY?: boolean }

/** What the program may touch: results go to `stdout`, everything else to `stderr`. */
export type Io = {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  env: Record<string, string | undefined>
}

/** Writes, and waits where the reader is slower than we are. */
export async function print(stream: Output, written: string): Promise<void> {
  if (!stream.write(written)) await once(stream, 'drain')
}

export const CLEAR_LINE = '\r\u001b[K'

/** On a terminal, in the place of whatever progress was drawn there. */
export const printMessage = ({ stderr }: Pick<Io, 'stderr'>, line: string): void =>
  void stderr.write(`${stderr.isTTY ? CLEAR_LINE : ''}${escapeLines(line)}\n`)

export const printJson = ({ stdout }: Io, value: unknown): Promise<void> => print(stdout, `${toSafeJson(value, 2)}\n`)

/** `-` is standard input. */
export const openSource = ({ stdin }: Pick<Io, 'stdin'>, path: string): NodeJS.ReadableStream =>
  path === '-' ? stdin : createReadStream(path)

export async function readSource(io: Pick<Io, 'stdin'>, path: string): Promise<string> {
  return text(openSource(io, path) as AsyncIterable<Buffer>)
}

export async function readJson(io: Pick<Io, 'stdin'>, path: string): Promise<unknown> {
  const source = await readSource(io, path)
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new UsageError(`${path === '-' ? 'Standard input' : path} does not hold JSON: ${(error as Error).message}`)
  }
}
