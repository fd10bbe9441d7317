// A new sandbox of this repository, and the citizens in it.
import { send } from '@tiwala/kit/operations'
import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { startServiceWithPostgres } from '@tiwala/server/testing-postgres'
import { createClients } from '../src/kit/sandbox-bootstrap.ts'
import { type Actors, WITHOUT_SESSIONS } from '../src/kit/valid-requests.ts'

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** So long that a busy machine does not exceed them while it compiles a program. */
const PATIENT = {
  TIWALA_QR_TTL_SECONDS: '600',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '600',
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: '3600',
}

export async function startSandbox() {
  const { url, close } = await startServiceWithPostgres(PATIENT)
  const bootstrap = (await (await fetch(`${url}/sandbox/bootstrap.json`)).json()) as Bootstrap
  return { url, actors: actorsOf(bootstrap), stop: close }
}

/** The partner, and the first citizen, who decides about requests. */
function actorsOf(bootstrap: Bootstrap): Actors {
  const { partner: credentials, citizens, operator_token: operatorToken } = bootstrap
  const { uniqid, token } = citizens.find(({ behavior }) => behavior === 'manual')!
  const { profiles, sso, operator, app: appOf, showQr } = createClients(bootstrap)
  const app = appOf(token)
  return {
    url: bootstrap.auth_url,
    send: (id, options) => send(bootstrap.auth_url, id, options),
    operator,
    operatorToken: operatorToken!,
    ...WITHOUT_SESSIONS,
    partner: {
      code: credentials.partner_code,
      credentials,
      headers: { 'X-Secret-Code': credentials.secret_code, 'X-Secret-Token': credentials.secret_token },
      profiles,
      sso,
    },
    citizen: {
      uniqid,
      token,
      app,
      showQr: async (purpose) => showQr(token, purpose ?? 'inquire'),
      exchangeCode: async (partner_code) =>
        (await app('issueExchangeCode', { body: { partner_code } })).body.exchange_code,
      accept: async (tracking_no) => app('acceptAuthorization', { path: { tracking_no } }),
    },
  }
}
