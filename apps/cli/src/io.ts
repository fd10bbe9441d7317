import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { escapeLines } from './escape-text.ts'
import { UsageError } from './usage-error.ts'

type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

/** Everything outside the program that it uses. Results go to `stdout`, all other text goes to `stderr`. */
export type Io = {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  env: Record<string, string | undefined>
}

/** Writes the text, and waits if the stream's buffer is full. */
export async function print(stream: Output, output: string): Promise<void> {
  if (!stream.write(output)) await once(stream, 'drain')
}

export const CLEAR_LINE = '\r\u001b[K'

/** Writes a line to standard error. On a terminal, the line replaces the progress bar. */
export const printMessage = ({ stderr }: Pick<Io, 'stderr'>, line: string): void =>
  void stderr.write(`${stderr.isTTY ? CLEAR_LINE : ''}${escapeLines(line)}\n`)

/** The path `-` means standard input. */
export const openSource = (
  { stdin }: Pick<Io, 'stdin'>,
  path: string,
  startByte = 0,
): NodeJS.ReadableStream =>
  path === '-'
    ? stdin
    : // A pipe has no positions. Node's error for a folder does not name its path.
      createReadStream(path, startByte > 0 ? { start: startByte } : {}).prependListener(
        'error',
        (error) => void Object.assign(error, { path }),
      )

export const nameOfSource = (path: string): string => (path === '-' ? 'Standard input' : path)

/** Windows PowerShell writes UTF-16 with a byte order mark, or UTF-8 with one. The decoder drops the mark. */
const createDecoder = (start: Buffer, options?: { fatal?: boolean }) =>
  new TextDecoder(start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : 'utf-8', options)

export async function readSource(
  io: Pick<Io, 'stdin'>,
  path: string,
  options: { fatal?: boolean } = {},
): Promise<string> {
  const bytes = await buffer(openSource(io, path) as AsyncIterable<Buffer>)
  return createDecoder(bytes, options).decode(bytes)
}

/** The lines of a file of any size. A carriage return at their end stays, because JSON allows it. */
export async function* readLines(io: Pick<Io, 'stdin'>, path: string): AsyncGenerator<string> {
  let decoder: ReturnType<typeof createDecoder> | undefined
  let rest = ''
  for await (const bytes of openSource(io, path) as AsyncIterable<Buffer>) {
    decoder ??= createDecoder(bytes)
    const lines = decoder.decode(bytes, { stream: true }).split('\n')
    lines[0] = rest + lines[0]!
    rest = lines.pop()!
    yield* lines
  }
  if (rest) yield rest
}

export async function readJson(io: Pick<Io, 'stdin'>, path: string): Promise<unknown> {
  const source = await readSource(io, path, { fatal: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new UsageError(`${nameOfSource(path)} is not UTF-8.`)
    throw error
  })
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new UsageError(`${nameOfSource(path)} does not hold JSON: ${(error as Error).message}`)
  }
}
