// A new sandbox of this repository, and the citizens in it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { send } from '@tiwala/kit/operations'
import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { freePort } from '../../../apps/server/src/testing/free-port.ts'
import { ROOT } from '../repository/files.ts'
import { createClients } from '../src/kit/sandbox-bootstrap.ts'
import { type Actors, WITHOUT_SESSIONS } from '../src/kit/valid-requests.ts'

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** So long that a busy machine does not exceed them while it compiles a program. */
const PATIENT = {
  TIWALA_QR_TTL_SECONDS: '600',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '600',
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: '3600',
  TIWALA_MAX_QUEUED_MS: '10000',
  TIWALA_REQUEST_DEADLINE_MS: '10000',
  // All samples are about one citizen.
  TIWALA_PENDING_PER_CITIZEN: '100',
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: '100',
  TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: '1000',
  TIWALA_WRITES_PER_CITIZEN_AND_MINUTE: '1000',
}

export async function startSandbox() {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-languages-data-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = spawn(process.execPath, [join(ROOT, 'apps/server/src/main.ts')], {
    env: { ...process.env, PORT: String(port), TIWALA_DATA_DIR: folder, LOG_LEVEL: 'error', ...PATIENT },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    if (server.exitCode === null && server.kill()) await once(server, 'exit')
    await rm(folder, { recursive: true })
  }
  await waitUntilReady(`${url}/readyz`).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const bootstrap = (await (await fetch(`${url}/sandbox/bootstrap.json`)).json()) as Bootstrap

  return { url, actors: actorsOf(bootstrap), stop }
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

const READY_WITHIN_MS = 600_000

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  for (;;) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (Date.now() > deadline) throw new Error('The sandbox did not start within ten minutes.')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
