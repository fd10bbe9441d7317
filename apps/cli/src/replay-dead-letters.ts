import type { Body, Success } from '@tiwala/contract'
import type { CommandContext, CommandOverride } from './command-context.ts'
import { printResult } from './print-value.ts'
import { createProgress } from './progress.ts'
import { withRetry } from './with-retry.ts'

/** Sends one batch of dead letters after another, until none of the selection remains. */
async function replayDeadLetters({ io, input, options, connect }: CommandContext): Promise<void> {
  const [call, progress] = [withRetry(await connect(), io), createProgress(io)]
  let replayed = 0
  try {
    for (let hasMore = true; hasMore;) {
      const { body }: { body: Success<'replayDeadLetters'> } = await call('replayDeadLetters', {
        body: input.body as Body<'replayDeadLetters'>,
      })
      replayed += body.replayed
      progress.show(0, undefined, `${replayed} sent again`)
      // If a request restarts nothing, another process restarts the rest. The loop must end.
      hasMore = body.has_more && body.replayed > 0
    }
  } finally {
    progress.end()
  }
  await printResult(io, options.output, { replayed }, `${replayed} events are pending again.\n`)
}

export const replayDeadLettersCommand: CommandOverride = {
  description: `
      Sends the events again that the service gave up, one batch after another: all of them, or those of a
      partner, a type or a time. Needs deliveries:write.`,
  defaults: { limit: 500 },
  handle: replayDeadLetters,
}
