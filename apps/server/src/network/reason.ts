/** The fields of Node's network errors that say what was not reached. They contain no secret. */
type NetworkError = Error & {
  code?: string
  hostname?: string
  host?: string
  address?: string
  port?: number
}

/**
 * Why a connection or a `fetch` failed, in a few words: the code, the address, or the name of the error. A
 * message is not repeated, since it may contain received data.
 */
export function reasonOf(error: unknown): string {
  const found = rootOf(error)
  if (!found) return 'unknown'
  const { code, hostname, host, address = hostname ?? host, port } = found
  if (!code) return found.name
  return [code, address && (port ? `${address}:${port}` : address)].filter(Boolean).join(' ')
}

/** The innermost cause. Node wraps the errors of several addresses of one host. */
function rootOf(error: unknown): NetworkError | undefined {
  const inner = error instanceof AggregateError ? error.errors[0] : error instanceof Error && error.cause
  if (inner instanceof Error) return rootOf(inner)
  return error instanceof Error ? error : undefined
}
