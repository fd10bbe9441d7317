// Several server processes over one PostgreSQL database, as they stand behind a load balancer.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/testing/start-service.ts'
import { createApiClient, type ApiClient } from '../test/kit/api-client.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'

const many = (names: string[], suffix: string, value: string) =>
  Object.fromEntries(names.map((name) => [`TIWALA_${name}_${suffix}`, value]))
/** So that it is neither a limit nor time that refuses. */
export const UNBOUNDED = {
  ...many(['VIEWS', 'TOKENS', 'SIGN_INS', 'REFUSED_CREDENTIALS'], 'PER_MINUTE', '1000000'),
  ...many(['QR', 'AUTHORIZATION', 'RESULT', 'EXCHANGE_CODE', 'ACCESS_TOKEN'], 'TTL_SECONDS', '86400'),
}

/** Their defaults, which other tests lift: how soon a server gives up what does not come belongs to what is tested. */
export const DEFAULT_TIMEOUTS = { TIWALA_ANSWER_WITHIN_MS: '1000', TIWALA_LONGEST_QUEUED_MS: '250' }

export type Servers = Awaited<ReturnType<typeof startServers>>

/** `folder`: of the keys that they share. */
export async function startServers(count: number, database: { url: string; folder: string }, settings: Record<string, string> = {}) {
  const shared = { ...UNBOUNDED, DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder, ...settings }
  const ports = await Promise.all(Array.from({ length: count }, async () => String(await freePort())))
  /** Which process ended without having been told to. */
  const died: string[] = []
  const expected = new Set<object>()
  const begin = async (PORT: string) => {
    const server = await startReadyProcess({ ...shared, PORT })
    void server.exited.then((code) => expected.has(server) || died.push(`${server.url} with ${code}: ${server.stderr()}`))
    return server
  }
  // The first makes the keys and the people that the others find.
  const running = [await begin(ports[0]!)]
  running.push(...(await Promise.all(ports.slice(1).map(begin))))
  const clients: ApiClient[] = await Promise.all(running.map(({ url }) => createApiClient(url)))

  async function kill(index: number): Promise<void> {
    expected.add(running[index]!)
    await running[index]!.end('SIGKILL')
  }
  return {
    /** At each process. Who they are is the same everywhere, and after a restart. */
    clients,
    died,
    kill,
    restart: async (index: number) => void (running[index] = await begin(ports[index]!)),
    [Symbol.asyncDispose]: async () => void (await Promise.all(running.map((_, index) => kill(index)))),
  }
}

/** How long it takes until each process gives somebody something again. */
export async function measureRecoveryMs({ clients }: Servers): Promise<number> {
  const startedAtMs = performance.now()
  const isBack = async (api: ApiClient) =>
    (await api.send('issueQrCode', { headers: api.asCitizen, json: { purpose: 'share' } }).catch(() => undefined))?.ok
  const waitFor = async (api: ApiClient) => {
    while (!(await isBack(api))) await sleep(10)
  }
  await Promise.all(clients.map(waitFor))
  return performance.now() - startedAtMs
}
