// A new sandbox of this repository, with a partner and a citizen for the samples.
import { startServiceWithPostgres } from '@tiwala/server/testing-postgres'
import { createUsers } from '../src/kit/users.ts'

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** So long that a busy machine does not exceed them while it compiles a program. */
const PATIENT = {
  TIWALA_QR_TTL_SECONDS: '600',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '600',
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: '3600',
}

export async function startSandbox() {
  const service = await startServiceWithPostgres(PATIENT)
  const users = await createUsers(service.url, service.tokens)
  const actors = { ...service, ...users, partner: await users.partner(), citizen: await users.citizen() }
  return { url: service.url, actors, stop: service.close }
}
