import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { api } from '#api'
import type { CommandContext } from './command-context.ts'
import { commands } from './commands.ts'
import { escapeLines, escapeText } from './escape-text.ts'
import type { Io } from './io.ts'
import { UsageError } from './usage-error.ts'

type ConfirmationContext = Pick<CommandContext, 'id' | 'io' | 'input' | 'options'>

/**
 * Resolves when the administrator has confirmed a destructive command. Rejects with a `UsageError` otherwise.
 */
export async function confirm({ id, io, input, options }: ConfirmationContext): Promise<void> {
  const destructive = api.destructive[id]
  const named = { ...input.path, ...(input.body as object) } as Record<string, unknown>
  if (!destructive || options.yes || destructive.isNeeded?.(named) === false) return
  const expected = destructive.argument ? String(named[destructive.argument]) : commands[id]
  await askToType(io, destructive.warning, expected)
}

/** Resolves when the administrator has typed the expected text. Rejects with a `UsageError` otherwise. */
export async function askToType(io: Io, warning: string, expected: string): Promise<void> {
  if (!io.stdin.isTTY)
    throw new UsageError(
      'This needs a confirmation, and there is no terminal to ask at. To continue, add --yes.',
    )
  const terminal = createInterface({ input: io.stdin, output: io.stderr })
  // Ctrl+C and Ctrl+D also mean no.
  const answer = terminal
    .question(`${escapeLines(warning)}\nType ${escapeText(expected)} to confirm: `)
    .catch(() => '')
  const typed = await Promise.race([answer, once(terminal, 'close').then(() => '')])
  terminal.close()
  if (typed.trim() !== expected) throw new UsageError('Not confirmed; nothing was done.')
}
