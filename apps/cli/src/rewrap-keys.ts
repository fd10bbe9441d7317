import type { Success } from '@tiwala/contract'
import type { CommandContext, CommandOverride } from './command-context.ts'
import { EXIT_CODE } from './format-error.ts'
import { printMessage } from './io.ts'
import { printResult } from './print-value.ts'
import { createProgress } from './progress.ts'
import { withRetry } from './with-retry.ts'

/** Moves one batch of citizens after another to the current keys, until none remains or none can be moved. */
async function rewrapKeys({ io, input, options, connect }: CommandContext): Promise<number> {
  const [call, progress] = [withRetry(await connect(), io), createProgress(io)]
  const sum: Success<'rewrapKeys'> = { moved: 0, remaining: 0 }
  try {
    for (let isDone = false; !isDone;) {
      const { body }: { body: Success<'rewrapKeys'> } = await call('rewrapKeys', {
        body: input.body as { limit: number },
      })
      sum.moved += body.moved
      sum.remaining = body.remaining
      progress.show(sum.moved, sum.moved + sum.remaining, `${sum.moved} moved`)
      // If a request moves nothing, another process moves the rest or the rest cannot be moved. The loop must
      // end.
      isDone = body.remaining === 0 || body.moved === 0
    }
  } catch (error) {
    if (sum.moved > 0)
      printMessage(
        io,
        `Stopped after ${sum.moved} were moved. They stay so. Run the command again to continue.`,
      )
    throw error
  } finally {
    progress.end()
  }
  const text = `${sum.moved} moved to the current keys, ${sum.remaining} remaining.\n`
  await printResult(io, options.output, sum, text)
  if (sum.remaining === 0) return EXIT_CODE.done
  printMessage(io, 'The rest could not be moved now. Run the command again, and check "tiwala key list".')
  return EXIT_CODE.refused
}

export const rewrapKeysCommand: CommandOverride = {
  description: `
      Moves all citizens to the current keys, one batch after another. Afterwards you can remove the old
      keys from the key ring. The service stays available. Needs keys:write.`,
  defaults: { limit: 500 },
  handle: rewrapKeys,
}
