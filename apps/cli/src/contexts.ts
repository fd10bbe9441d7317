// The services that an administrator has signed in to: `tiwala login`, `tiwala context`. They are in a file that only the
// user can read. The token of a context is sent to the address of this context only.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { api } from '#api'
import { createTableFormatter } from './format-output.ts'
import { type Io, print } from './io.ts'
import { createRowPrinter, type Output } from './print-value.ts'
import { UsageError } from './usage-error.ts'
import { withLockFile } from './with-lock-file.ts'

export type Tokens = { access_token: string; refresh_token?: string; expires_at?: number }
/** `url`: the address of the API, as `apiUrlOf` writes it. `partner`: the one that a member of several has chosen. */
export type Context = {
  url: string
  issuer: string
  client_id: string
  scope: string
  partner?: string
  tokens?: Tokens
}
type Stored = { current?: string; contexts: Record<string, Context> }
type Env = Pick<Io, 'env'>

const NAME = /^[\w.-]{1,40}$/

function pathOf({ env }: Env): string | undefined {
  const home = env['HOME'] || env['USERPROFILE']
  const folder = env['XDG_CONFIG_HOME'] || (home && join(home, '.config'))
  return folder ? join(folder, 'tiwala', api.contextsFile) : undefined
}

function requirePath(io: Env): string {
  const path = pathOf(io)
  if (path === undefined)
    throw new UsageError('There is no home folder for the sign-in. Set HOME, or on Windows USERPROFILE.')
  return path
}

function readStored(io: Env): Stored {
  const path = pathOf(io)
  if (path === undefined) return { contexts: {} }
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Stored
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} }
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Runs while no other process changes the file or renews a sign-in. */
export async function lockContexts<Result>(io: Env, run: () => Result | Promise<Result>): Promise<Result> {
  const path = requirePath(io)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return withLockFile(`${path}.lock`, run)
}

/** With the lock. Another command that reads the file meanwhile gets the old one or the new one. */
function writeStored(io: Env, change: (stored: Stored) => Stored): void {
  const path = requirePath(io)
  const written = `${path}.${process.pid}.writing`
  writeFileSync(written, `${JSON.stringify(change(readStored(io)), null, 2)}\n`, { mode: 0o600 })
  renameSync(written, path)
}

/** The one of `--context` or `TIWALA_CONTEXT`, which must exist, or the current one. */
export function findContext(
  io: Env,
  named = io.env['TIWALA_CONTEXT'],
): (Context & { name: string }) | undefined {
  const { current, contexts } = readStored(io)
  const name = named || current
  const context = name === undefined ? undefined : contexts[name]
  if (named && !context)
    throw new UsageError(`There is no context "${named}". Create it: ${api.program} login --context ${named}`)
  return name !== undefined && context ? { name, ...context } : undefined
}

/** A context that need not exist. */
export function readContext(io: Env, name: string): Context | undefined {
  const { contexts } = readStored(io)
  return Object.hasOwn(contexts, name) ? contexts[name] : undefined
}

/** Refuses, before a sign-in, what could not be stored after it. */
export function requireStorable(io: Env, name: string): void {
  if (!NAME.test(name))
    throw new UsageError(`"${name}" is no name for a context: use letters, digits, . _ and -.`)
  requirePath(io)
}

const changeStored = (io: Env, to: (stored: Stored) => Stored): Promise<void> =>
  lockContexts(io, () => writeStored(io, to))

/** Stores a context, which is the current one from now on. */
export const storeContext = (io: Env, name: string, context: Context): Promise<void> =>
  changeStored(io, ({ contexts }) => ({ current: name, contexts: { ...contexts, [name]: context } }))

/** With the lock: stores the renewed tokens of a context, unless it was removed. */
export const storeTokens = (io: Env, name: string, tokens: Tokens): void =>
  writeStored(io, (stored) => {
    const context = stored.contexts[name]
    return context ? { ...stored, contexts: { ...stored.contexts, [name]: { ...context, tokens } } } : stored
  })

export async function listContexts(io: Io, output: Output): Promise<void> {
  const { current, contexts } = readStored(io)
  const rows = Object.entries(contexts).map(([name, { url, issuer, tokens }]) => ({
    name,
    is_current: name === current,
    url,
    issuer,
    is_signed_in: tokens !== undefined,
  }))
  if (output !== 'table')
    await createRowPrinter(io, output, ['name', 'is_current', 'url', 'issuer', 'is_signed_in'])(rows)
  else if (rows.length)
    await print(io.stdout, createTableFormatter(['name', 'is_current', 'url', 'is_signed_in'], io)(rows))
}

export async function useContext(io: Io, name: string): Promise<void> {
  findContext(io, name)
  await changeStored(io, (stored) => ({ ...stored, current: name }))
}

export async function removeContext(io: Io, name: string): Promise<void> {
  findContext(io, name)
  await changeStored(io, ({ current, contexts: { [name]: _removed, ...contexts } }) => ({
    ...(current !== undefined && current !== name && { current }),
    contexts,
  }))
}
