import type { Success } from '@tiwala/contract'
import type { CommandContext } from './command-context.ts'
import { escapeLines } from './escape-text.ts'
import { EXIT_CODE } from './format-error.ts'
import { print, printJson, printMessage } from './io.ts'
import { createProgress } from './progress.ts'
import { withRetry } from './with-retry.ts'

/** Moves part after part until nothing remains. */
export async function rewrapKeys({ io, input, options, connect }: CommandContext): Promise<number> {
  const [call, progress] = [withRetry(await connect(), io), createProgress(io)]
  const sum: Success<'rewrapKeys'> = { moved: 0, remaining: 0 }
  try {
    for (let isDone = false; !isDone;) {
      const { body }: { body: Success<'rewrapKeys'> } = await call('rewrapKeys', { body: input.body as { limit: number } })
      sum.moved += body.moved
      sum.remaining = body.remaining
      progress.show(sum.moved, sum.moved + sum.remaining, `${sum.moved} moved`)
      // Where others move the rest at the same time, or it cannot be moved, we would ask for ever.
      isDone = body.remaining === 0 || body.moved === 0
    }
  } finally {
    progress.end()
  }
  if (options.json) await printJson(io, sum)
  else await print(io.stdout, escapeLines(`${sum.moved} moved to the current keys, ${sum.remaining} remaining.\n`))
  if (sum.remaining === 0) return EXIT_CODE.done
  printMessage(io, 'What remains could not be moved just now: run the command again, and look at "tiwala key list".')
  return EXIT_CODE.refused
}
