/** Something that the command needs failed. The command may have done a part of its work. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}
