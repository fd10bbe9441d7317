import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { CommandContext } from './command-context.ts'
import { commands } from './commands.ts'
import type { OperatorId } from './document.ts'
import { escapeLines, escapeText } from './escape-text.ts'
import type { Io } from './io.ts'
import { UsageError } from './usage-error.ts'

/**
 * Commands that cannot be undone, that take access away at once, or that give more of it. To confirm, the
 * administrator types the named argument, or else the command. `isNeeded`: for which input; default: any.
 */
type Destructive = {
  argument?: string
  warning: string
  isNeeded?: (input: Record<string, unknown>) => boolean
}

const endsAtOnce = (input: Record<string, unknown>) => input['grace_days'] === 0

export const DESTRUCTIVE: Partial<Record<OperatorId, Destructive>> = {
  suspendPartner: {
    argument: 'partner_code',
    warning: 'All requests of this partner are refused from now on.',
  },
  changePartner: {
    argument: 'partner_code',
    warning: 'This changes which data the partner gets, from where, or where citizens are sent, at once.',
    isNeeded: ({ scopes, ip_allow_list, sso_url }) =>
      scopes !== undefined || (ip_allow_list as unknown[] | undefined)?.length === 0 || Boolean(sso_url),
  },
  rotateCredential: {
    argument: 'partner_code',
    warning: 'Requests with the present secret of this kind are refused from now on.',
    isNeeded: endsAtOnce,
  },
  rotateWebhookSecret: {
    argument: 'partner_code',
    warning: 'Events are signed only with the new secret from now on.',
    isNeeded: endsAtOnce,
  },
  eraseCitizen: {
    argument: 'uniqid',
    warning: 'The profile and the passport of this citizen can never be read again.',
  },
  revokeCredential: {
    argument: 'credential_id',
    warning: 'Requests with this secret are refused from now on.',
  },
  grantApproval: {
    argument: 'approval_id',
    warning: 'The change is made at once, exactly as it was asked for (see: tiwala approval show).',
  },
  replayChange: {
    argument: 'kind',
    warning: 'This change is applied without a verification of the audit. Some kinds can never be undone.',
  },
  completeRestore: {
    warning: 'All outstanding QR values, exchange codes and access tokens are refused from now on.',
  },
}

type ConfirmationContext = Pick<CommandContext, 'id' | 'io' | 'input' | 'options'>

/**
 * Resolves when the administrator has confirmed a destructive command. Rejects with a `UsageError` otherwise.
 */
export async function confirm({ id, io, input, options }: ConfirmationContext): Promise<void> {
  const destructive = DESTRUCTIVE[id]
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
