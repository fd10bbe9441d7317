// What logs and the doctor say about an unexpected error. Never a message: it may contain what a client sent,
// or data of a citizen. The codes and addresses are those of Node, PostgreSQL and the libraries.

/** `host`: the address that was not reached. `cause`: the error below it. */
export type ErrorDescription = { name: string; code?: string; host?: string; cause?: ErrorDescription }

const MAX_CAUSES = 5
const CODE = /^[\w-]{1,64}$/

export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { name: isDiskFull(error) ? 'DiskFull' : nameOf(error) }
  const { code, address, hostname, port } = error as NodeJS.ErrnoException & Record<string, unknown>
  const host = address ?? hostname
  // Node wraps the errors of several addresses of one host.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return {
    name: error.name,
    ...(typeof code === 'string' && CODE.test(code) && { code }),
    ...(typeof host === 'string' && { host: typeof port === 'number' ? `${host}:${port}` : host }),
    ...(cause instanceof Error && depth < MAX_CAUSES && { cause: describeError(cause, depth + 1) }),
  }
}

/** The file system of the embedded database throws objects that are no `Error`. */
const nameOf = (error: unknown): string => {
  const { name } = (error ?? {}) as { name?: unknown }
  return error === undefined ? 'unknown' : typeof name === 'string' && CODE.test(name) ? name : typeof error
}

/** ENOSPC as the file system of the embedded database numbers it (WASI). */
const WASI_ENOSPC = 51

/** Whether the disk of the database is full: an error of PostgreSQL (53100), of Node, or of the embedded one. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, errno, message, cause } = error as NodeJS.ErrnoException
  return (
    code === '53100' ||
    code === 'ENOSPC' ||
    (!(error instanceof Error) && errno === WASI_ENOSPC) ||
    /no space left on device/i.test(message ?? '') ||
    isDiskFull(cause)
  )
}

/** The innermost cause in a few words, for example `ECONNREFUSED 127.0.0.1:5432`. */
export function reasonOf(error: unknown): string {
  let description = describeError(error)
  while (description.cause) description = description.cause
  const { name, code, host } = description
  return code ? [code, host].filter(Boolean).join(' ') : name
}
