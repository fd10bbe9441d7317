// Where the token comes from, and how a long command renews it.
import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import { api } from '#api'
import { tokenOfContext } from './context-token.ts'
import { findContext } from './contexts.ts'
import { type Io, nameOfSource, readSource } from './io.ts'
import { UsageError } from './usage-error.ts'

export type TokenOptions = { tokenFile?: string; tokenCommand?: string; context?: string }

const COMMAND_TIMEOUT_MS = 60_000

/** `read`: can be called again for a newer token. `undefined`: no token was given, or it cannot be renewed. */
export type TokenSource = { token: string | undefined; read: (() => Promise<string>) | undefined }

export async function openTokenSource(
  io: Io,
  operatorUrl: string,
  { tokenFile, tokenCommand, context }: TokenOptions,
): Promise<TokenSource> {
  if (tokenFile !== undefined && tokenCommand !== undefined)
    throw new UsageError('--token-file and --token-command: give one of them.')
  // A named context wins over the environment, the current one does not.
  const isNamed = context !== undefined && tokenFile === undefined && tokenCommand === undefined
  if (isNamed) return openContext(io, operatorUrl, context)
  const command =
    tokenCommand ?? (tokenFile === undefined ? io.env[`${api.envPrefix}TOKEN_COMMAND`] : undefined)
  if (command) {
    const read = async () => requireToken(await runCommand(io, command), 'The token command printed nothing.')
    return { token: await read(), read }
  }
  if (tokenFile !== undefined) {
    const read = async () =>
      requireToken(
        await readSource(io, tokenFile),
        `${nameOfSource(tokenFile)} is empty. Put the token into it.`,
      )
    return { token: await read(), read: tokenFile === '-' ? undefined : read }
  }
  const token = (io.env[`${api.envPrefix}TOKEN`] ?? '').trim()
  return token ? { token: requireToken(token, ''), read: undefined } : openContext(io, operatorUrl)
}

/** Its token is for the service of the context only. */
async function openContext(io: Io, operatorUrl: string, named?: string): Promise<TokenSource> {
  const context = findContext(io, named)
  if (context?.url !== operatorUrl || !context.tokens) return { token: undefined, read: undefined }
  const { read, refresh } = tokenOfContext(io, context)
  return { token: await read(), read: refresh }
}

/** Runs the command by the shell, with the environment of this process. It prints the token, and its errors are shown. */
async function runCommand({ env }: Io, command: string): Promise<string> {
  const done = promisify(exec)(command, { env, timeout: COMMAND_TIMEOUT_MS, encoding: 'utf8' })
  done.child.stdin?.end()
  const { stdout } = await done.catch(
    (error: { code?: number | string; killed?: boolean; stderr?: string }) => {
      const reason = error.killed
        ? `took longer than ${COMMAND_TIMEOUT_MS / 1_000} s`
        : `ended with ${error.code ?? 'a signal'}`
      throw new UsageError(`The token command ${reason}. ${error.stderr?.trim() ?? ''}`.trim())
    },
  )
  return stdout
}

function requireToken(text: string, messageIfEmpty: string): string {
  const token = text.trim()
  if (!token) throw new UsageError(messageIfEmpty)
  // A token has only these characters (RFC 6750, section 2.1). Others would break the header.
  if (/[^\w.~+/=-]/.test(token))
    throw new UsageError('The token is not valid. Give the token alone, without spaces and line breaks.')
  return token
}
