import { inspect } from 'node:util'
import { TiwalaConnectionError, TiwalaError } from '@tiwala/transport'
import { CommanderError } from 'commander'
import { api } from '#api'
import { BASE_PATH, type OperationId, scopesOf } from './document.ts'
import { escapeText } from './escape-text.ts'
import { parametersOf } from './parameters.ts'
import { UnavailableError } from './unavailable-error.ts'
import { UsageError } from './usage-error.ts'

export const EXIT_CODE = { done: 0, refused: 1, usage: 2, unavailable: 3, notIntact: 4 } as const

/** What the command was doing when it failed, as far as it is known. */
export type ErrorContext = { id?: OperationId | undefined; url?: string; idempotencyKey?: string | undefined }
type FormattedError = { exitCode: number; text: string }

/** What to do if it is not known whether a change was made. */
export const adviceOnKey = ({ idempotencyKey }: ErrorContext): string | undefined =>
  idempotencyKey &&
  `If the change was made, the same command with --idempotency-key ${idempotencyKey} shows the secret again.`

/**
 * Says what is wrong and what to do, in one paragraph. The text is empty if commander has already printed the
 * error.
 */
export function formatError(error: unknown, context: ErrorContext): FormattedError {
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? EXIT_CODE.done : EXIT_CODE.usage, text: '' }
  if (error instanceof UsageError) return { exitCode: EXIT_CODE.usage, text: error.message }
  if (error instanceof UnavailableError) return { exitCode: EXIT_CODE.unavailable, text: error.message }
  if (error instanceof TiwalaError) return formatRefusal(error, context)
  const reason = error instanceof TiwalaConnectionError ? error.cause : error
  const { name, message, code, path } = reason as NodeJS.ErrnoException
  if (path !== undefined && code)
    return {
      exitCode: EXIT_CODE.usage,
      text: `Cannot use the file ${path}: ${code}. Check the path, the permissions and the free space.`,
    }
  if (name === 'TimeoutError')
    return {
      exitCode: EXIT_CODE.unavailable,
      text:
        `The service at ${context.url} did not respond in time. ` +
        'Try again. If this repeats, run "tiwala doctor" on its machine.',
    }
  if (reason instanceof TypeError && (message === 'fetch failed' || message === 'terminated'))
    return {
      exitCode: EXIT_CODE.unavailable,
      text:
        `The service cannot be reached at ${context.url}${causeOf(reason)}. ` +
        (adviceOnCertificate(reason) ||
          `Is it running? To use another address, set --url or ${api.envPrefix}URL.`),
    }
  // Any other error is a bug in the CLI. The stack trace shows where.
  return {
    exitCode: EXIT_CODE.unavailable,
    text: error instanceof Error ? (error.stack ?? message) : inspect(error),
  }
}

/** Why `fetch` failed, or the status that a library did not expect. */
export const causeOf = ({ cause }: Error): string => {
  if (cause instanceof Response) return ` (${cause.status})`
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}

export const adviceOnCertificate = (error: Error): string =>
  /CERT|VERIFY/.test(causeOf(error))
    ? 'If a private authority signed its certificate, set NODE_EXTRA_CA_CERTS to the file of the authority.'
    : ''

function formatRefusal(error: TiwalaError, context: ErrorContext): FormattedError {
  const fieldErrors = Object.entries(error.fields).map(
    ([field, reasons]) => `  ${optionOf(field, context.id)}: ${reasons.join('; ')}`,
  )
  const isRefusal = error.code !== 'unexpected_answer' && error.status < 500
  const message = isRefusal ? `The service refused the request: ${error.message}.` : `${error.message}.`
  const lines = [[message, adviceFor(error, context)].filter(Boolean).join(' '), ...fieldErrors]
  return {
    exitCode: isRefusal ? EXIT_CODE.refused : EXIT_CODE.unavailable,
    text: lines.map(escapeText).join('\n'),
  }
}

/** Names the option that sets a field. It adds the name of the field if the two names differ. */
function optionOf(field: string, id: OperationId | undefined): string {
  const dotted = field.replaceAll(/[[\]/]+/g, '.')
  const parameter =
    id &&
    parametersOf(id).find(({ inputPath }) => `${dotted}.`.startsWith(`${inputPath.slice(1).join('.')}.`))
  if (!parameter) return field
  const option = parameter.inputPath[0] === 'path' ? `<${parameter.name}>` : `--${parameter.name}`
  return option === `--${field}` ? option : `${option} (${field})`
}

function adviceFor({ code, status, retryAfterSeconds }: TiwalaError, { id, url }: ErrorContext): string {
  if (code.startsWith('token_'))
    return (
      `Get a fresh token from the ${api.person}s' identity provider, ` +
      `and give it in ${api.envPrefix}TOKEN or with --token-file.`
    )
  if (code === 'precondition_failed')
    return 'Read it again and decide again. Then repeat the command with its new ETag in --if-match.'
  if (code === 'scope_not_granted' && id) {
    const scopes = scopesOf(id)
    const noun = scopes.length > 1 ? 'scopes' : 'scope'
    return `This command needs a token with the ${noun} ${scopes.join(' and ')}.`
  }
  if (code === 'unexpected_answer' || (code === 'not_found' && !url?.endsWith(BASE_PATH)))
    return `Check the address ${url}. The address of the API ends in ${BASE_PATH}.`
  if (retryAfterSeconds !== undefined) return `Try again in ${retryAfterSeconds} s.`
  return status >= 500 ? 'Report the request ID to the team that runs the service.' : ''
}
