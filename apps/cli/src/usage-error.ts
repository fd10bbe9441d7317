/** The arguments are wrong or incomplete. The CLI has not changed anything. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
