#!/usr/bin/env node
// Hands the process's own arguments, streams and environment to the program; nothing else knows of them.
import { run } from './run.ts'

/** What a shell reports of a program that wrote into a closed pipe. */
const BROKEN_PIPE = 141

// Whoever reads only the first lines (`| head`) closes the pipe: nobody is left to write to.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(BROKEN_PIPE)
    throw error
  })

const { stdin, stdout, stderr, env } = process
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env })
