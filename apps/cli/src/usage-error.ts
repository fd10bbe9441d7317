/** The command was not given what it needs; nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
