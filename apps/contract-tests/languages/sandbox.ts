// A new sandbox of this repository, and the citizens in it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CitizenAppOperations, routes } from '@tiwala/contract'
import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { createTransport } from '@tiwala/transport'
import { freePort } from '../../../apps/server/src/testing/free-port.ts'
import { ROOT } from '../repository/files.ts'

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** So long that a busy machine does not exceed them while it compiles a program. */
const PATIENT = {
  TIWALA_QR_TTL_SECONDS: '600',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '600',
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: '3600',
  TIWALA_MAX_QUEUED_MS: '10000',
  TIWALA_REQUEST_DEADLINE_MS: '10000',
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

  /** The app of the first citizen with this behavior. */
  const app = (behaviour: string) => {
    const { token } = bootstrap.citizens.find((citizen) => citizen.behaviour === behaviour)!
    return createTransport<CitizenAppOperations>(routes['citizen-app'], {
      baseUrl: bootstrap.citizen_url,
      headers: { Authorization: `Bearer ${token}` },
    })
  }
  return { url, partner: bootstrap.partner, app, stop }
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
