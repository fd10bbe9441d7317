import { setTimeout as sleep } from 'node:timers/promises'
import { isDiskFull } from '../describe-error.ts'

/**
 * SQLSTATE classes and codes of temporary errors: lost connection, shutdown, no resources, a lock or
 * statement timeout.
 */
const TEMPORARY = /^(08|53|57P|57014|55P03|40001|40P01|25006|3D000)/
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
const DRIVER = new RegExp(
  [
    'PGlite is clos',
    // The embedded database after an error of its disk.
    '^Aborted\\(',
    'Connection terminated',
    'Client has encountered a connection error',
    'Client was closed',
    'timeout exceeded when trying to connect',
    'pool after calling end',
    'driver has already been destroyed',
  ].join('|'),
)

/**
 * Whether the database is temporarily unavailable, so that the client should try again. False for an error in
 * a statement.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isDiskFull(error)) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // While PostgreSQL restarts, its Unix socket does not exist.
  const noSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  // A row waited for the default partition, and meanwhile its own was made. A check of a table has a name.
  const hasMovedOn = code === '23514' && !('constraint' in error && error.constraint)
  return hasMovedOn || TEMPORARY.test(code) || NETWORK.has(code) || noSocket || DRIVER.test(error.message)
}

/** PostgreSQL's types `text` and `jsonb` accept every character except NUL. */
export const isUnstorableText = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['22021', '22P05'].includes(String(error.code))

const RETRY_MS = 1_000

/** Tries again until the database is available. The wait does not keep the process alive. */
export async function untilAvailable(act: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;)
    try {
      return await act()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      await sleep(RETRY_MS, undefined, { ref: false, signal })
    }
}
