import type { Operation } from '../operation.ts'
import { readOwnSignIn, toSignInRequest } from './sign-in.ts'

export const readSignIn: Operation<'readSignIn'> = async (service, { caller, path }) => ({
  status: 200,
  body: toSignInRequest(service, await readOwnSignIn(service, caller.uniqidHmacs, path.sign_in_id)),
})
