/** SQLSTATE classes and codes that mean "not now": connection lost, shutting down, no resources, a lock or statement time-out. */
const NOT_NOW = /^(08|53|57P|57014|55P03|40001|40P01|25006|3D000)/
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const DRIVER =
  /PGlite is clos|Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|pool after calling end|driver has already been destroyed/

/** Whether an error says that the database cannot answer now, so that the caller should try again, rather than that we asked wrongly. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // PostgreSQL's socket in the file system is gone while it restarts.
  const noSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  return NOT_NOW.test(code) || NETWORK.has(code) || noSocket || DRIVER.test(error.message)
}

/** PostgreSQL's text holds every character but NUL. */
export const isUnstorableText = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '22021'
