import type { IncomingMessage } from 'node:http'
import type { CookieOptions } from 'express'

/** Browsers accept the prefix only over https. A local sandbox has none. */
export const cookieNameOf = (
  { publicUrl }: { publicUrl: string },
  name: string,
  prefix: '__Host-' | '__Secure-' = '__Host-',
) => `${publicUrl.startsWith('https:') ? prefix : ''}${name}`

/** Without a script's access, for the whole host, as the prefix demands. */
export const cookieOptions = (
  { publicUrl }: { publicUrl: string },
  sameSite: 'strict' | 'lax',
): CookieOptions => ({ httpOnly: true, sameSite, secure: publicUrl.startsWith('https:'), path: '/' })

/** The value of a cookie, if it has the form. */
export function readCookie(
  { headers }: Pick<IncomingMessage, 'headers'>,
  name: string,
  form: RegExp,
): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  return found && form.test(found) ? found : undefined
}

/** The cookies of the sessions of people, without prefix. */
export const SESSION_COOKIES = { member: 'tiwala-workbench', operator: 'tiwala-console' } as const

const SESSION_ID = /^[0-9A-Za-z]{43}$/

/** The random id of a session in a browser. */
export const readSessionId = (
  req: Pick<IncomingMessage, 'headers'>,
  config: { publicUrl: string },
  person: keyof typeof SESSION_COOKIES,
): string | undefined => readCookie(req, cookieNameOf(config, SESSION_COOKIES[person]), SESSION_ID)
