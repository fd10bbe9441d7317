// Connects a program to the process. No other file reads the process's arguments, streams and environment.
import { EXIT_CODE } from './format-error.ts'
import type { Io } from './io.ts'

/** The exit code that a shell reports for a program that wrote into a closed pipe. */
const BROKEN_PIPE = 141

export async function start(run: (argv: string[], io: Io) => Promise<number>): Promise<void> {
  // A reader such as `| head` closes the pipe after the first lines. The rest of the output has no reader.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(BROKEN_PIPE)
      process.stderr.write(`The output cannot be written: ${error.code}.\n`)
      process.exit(EXIT_CODE.unavailable)
    })

  const { stdin, stdout, stderr, env } = process
  process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env })
}
