import { userInfo } from 'node:os'

/** The actor of a command that needs no token: the user of this machine. In a container, a user can have no name. */
export function localActor(readUser: () => { username: string } = userInfo): string {
  try {
    return `local:${readUser().username}`
  } catch {
    return `local:${process.getuid?.()}`
  }
}
