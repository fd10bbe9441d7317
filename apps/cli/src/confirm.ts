import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { CommandContext } from './command-context.ts'
import type { OperatorId } from './document.ts'
import { escapeText } from './escape-text.ts'
import { UsageError } from './usage-error.ts'

/** What cannot be taken back: the argument that has to be typed again, or the command where it has none; and what would happen. */
export const DESTRUCTIVE: Partial<Record<OperatorId, { argument?: string; warning: string }>> = {
  eraseCitizen: { argument: 'uniqid', warning: 'Nobody will ever read the profile and the passport of this citizen again.' },
  revokeCredential: { argument: 'credential_id', warning: 'Whoever still uses this secret is refused from now on.' },
  completeRestore: { warning: 'Every QR value, exchange code and access token that is under way is refused from now on.' },
}

/** Returns once the administrator has typed what it is about. */
export async function confirm({ id, io, input, options }: Pick<CommandContext, 'id' | 'io' | 'input' | 'options'>): Promise<void> {
  const destructive = DESTRUCTIVE[id]
  if (!destructive || options.yes) return
  if (!io.stdin.isTTY) throw new UsageError('This cannot be undone, and nobody can be asked here: add --yes to do it.')
  const expected = destructive.argument ? String(input.path?.[destructive.argument]) : 'restore-complete'
  const terminal = createInterface({ input: io.stdin, output: io.stderr })
  // Ctrl+C and Ctrl+D are a no, too.
  const answer = terminal.question(`${destructive.warning}\nType ${escapeText(expected)} to confirm: `).catch(() => '')
  const typed = await Promise.race([answer, once(terminal, 'close').then(() => '')])
  terminal.close()
  if (typed.trim() !== expected) throw new UsageError('Not confirmed; nothing was done.')
}
