import { TiwalaError } from '@tiwala/transport'
import { CommanderError } from 'commander'
import { BASE_PATH, type OperatorId, scopesOf } from './document.ts'
import { escapeText } from './escape-text.ts'
import { parametersOf } from './parameters.ts'
import { UsageError } from './usage-error.ts'

export const EXIT_CODE = { done: 0, refused: 1, usage: 2, unavailable: 3, notIntact: 4 } as const

/** What was being done; known as far as it had come. */
export type ErrorContext = { id?: OperatorId | undefined; url?: string }
type FormattedError = { exitCode: number; text: string }

/** What went wrong and what to do about it, in one paragraph. Nothing to say where commander has said it. */
export function formatError(error: unknown, errorContext: ErrorContext): FormattedError {
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? EXIT_CODE.done : EXIT_CODE.usage, text: '' }
  if (error instanceof UsageError) return { exitCode: EXIT_CODE.usage, text: error.message }
  if (error instanceof TiwalaError) return formatRefusal(error, errorContext)
  const { name, message, code, path } = error as NodeJS.ErrnoException
  if (path !== undefined && code) return { exitCode: EXIT_CODE.usage, text: `Cannot use the file ${path}: ${code}.` }
  if (name === 'TimeoutError')
    return { exitCode: EXIT_CODE.unavailable, text: `The service at ${errorContext.url} did not answer in time.` }
  if (error instanceof TypeError && (message === 'fetch failed' || message === 'terminated'))
    return {
      exitCode: EXIT_CODE.unavailable,
      text: `The service cannot be reached at ${errorContext.url}${reasonOf(error)}. Is it running there? "npm start" starts one; --url or TIWALA_OPERATOR_URL names another.`,
    }
  // A mistake of ours: whoever mends it needs to know where.
  return { exitCode: EXIT_CODE.unavailable, text: error instanceof Error ? (error.stack ?? message) : String(error) }
}

const reasonOf = ({ cause }: Error): string => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}

function formatRefusal(error: TiwalaError, errorContext: ErrorContext): FormattedError {
  const faults = Object.entries(error.fields).map(([field, reasons]) => `  ${nameOf(field, errorContext.id)}: ${reasons.join('; ')}`)
  const isOurs = error.code !== 'unexpected_answer'
  const said = isOurs && error.status < 500 ? `The service refused: ${error.message}.` : `${error.message}.`
  const lines = [[said, adviceFor(error, errorContext)].filter(Boolean).join(' '), ...faults]
  return { exitCode: isOurs && error.status < 500 ? EXIT_CODE.refused : EXIT_CODE.unavailable, text: lines.map(escapeText).join('\n') }
}

/** The option that gives the field, with the field where they differ. */
function nameOf(field: string, id: OperatorId | undefined): string {
  const dotted = field.replaceAll(/[[\]/]+/g, '.')
  const parameter = id && parametersOf(id).find(({ inputPath }) => `${dotted}.`.startsWith(`${inputPath.slice(1).join('.')}.`))
  if (!parameter) return field
  const option = parameter.inputPath[0] === 'path' ? `<${parameter.name}>` : `--${parameter.name}`
  return option === `--${field}` ? option : `${option} (${field})`
}

function adviceFor({ code, status, retryAfterSeconds }: TiwalaError, { id, url }: ErrorContext): string {
  if (code.startsWith('token_'))
    return "Get a fresh token from the administrators' identity provider, and give it in TIWALA_OPERATOR_TOKEN or by --token-file."
  if (code === 'scope_not_granted' && id)
    return `This command needs a token with the ${scopesOf(id).length > 1 ? 'scopes' : 'scope'} ${scopesOf(id).join(' and ')}.`
  if (code === 'unexpected_answer' || (code === 'not_found' && !url?.endsWith(BASE_PATH)))
    return `Does ${url} lead to the operator API? Its address ends in ${BASE_PATH}.`
  if (retryAfterSeconds !== undefined) return `Try again in ${retryAfterSeconds} s.`
  return status >= 500 ? 'Give the request id to whoever runs the service.' : ''
}
