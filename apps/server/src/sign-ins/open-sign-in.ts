import type { Operation } from '../operation.ts'
import { readCode } from './code.ts'
import { openPending } from './sign-in.sql.ts'
import { readOwnSignIn, signInNotFound, toSignInRequest } from './sign-in.ts'

export const openSignIn: Operation<'openSignIn'> = async (
  service,
  { caller: { uniqidHmacs }, body, requestId },
) => {
  const code = readCode(service.keys, body.code)
  if (!code) throw signInNotFound()
  await openPending(service.db, uniqidHmacs, code, requestId)
  return { status: 200, body: toSignInRequest(service, await readOwnSignIn(service, uniqidHmacs, code.id)) }
}
