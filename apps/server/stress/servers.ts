// Several server processes over one PostgreSQL database, as behind a load balancer.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/testing/start-service.ts'
import { createApiClient, type ApiClient } from '../test/kit/api-client.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'

const many = (names: string[], suffix: string, value: string) =>
  Object.fromEntries(names.map((name) => [`TIWALA_${name}_${suffix}`, value]))
/** No rate limit and no lifetime refuses a request. */
export const UNBOUNDED = {
  ...many(['VIEWS', 'TOKENS', 'SIGN_INS', 'REFUSED_CREDENTIALS'], 'PER_MINUTE', '1000000'),
  ...many(['QR', 'AUTHORIZATION', 'RESULT', 'EXCHANGE_CODE', 'ACCESS_TOKEN'], 'TTL_SECONDS', '86400'),
}

/** The default timeouts, which other tests raise. Here the tests measure how soon a server gives up. */
export const DEFAULT_TIMEOUTS = { TIWALA_REQUEST_DEADLINE_MS: '1000', TIWALA_MAX_QUEUED_MS: '250' }

export type Servers = Awaited<ReturnType<typeof startServers>>

/** `folder`: contains the keys that the processes share. */
export async function startServers(
  count: number,
  database: { url: string; folder: string },
  settings: Record<string, string> = {},
) {
  const shared = { ...UNBOUNDED, DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder, ...settings }
  const ports = await Promise.all(Array.from({ length: count }, async () => String(await freePort())))
  /** The processes that ended without a signal from the test. */
  const died: string[] = []
  const expected = new Set<object>()
  const begin = async (PORT: string) => {
    const server = await startReadyProcess({ ...shared, PORT })
    void server.exited.then(
      (code) => expected.has(server) || died.push(`${server.url} with ${code}: ${server.stderr()}`),
    )
    return server
  }
  // The first process creates the keys and the sandbox data for the others.
  const running = [await begin(ports[0]!)]
  running.push(...(await Promise.all(ports.slice(1).map(begin))))
  const clients: ApiClient[] = await Promise.all(running.map(({ url }) => createApiClient(url)))

  async function kill(index: number): Promise<void> {
    expected.add(running[index]!)
    await running[index]!.end('SIGKILL')
  }
  return {
    /** A client for each process. The users are the same in every process, and after a restart. */
    clients,
    urls: running.map(({ url }) => url),
    died,
    kill,
    restart: async (index: number) => void (running[index] = await begin(ports[index]!)),
    [Symbol.asyncDispose]: async () => void (await Promise.all(running.map((_, index) => kill(index)))),
  }
}

/** The time until each process can issue a QR code again. */
export async function measureRecoveryMs({ clients }: Pick<Servers, 'clients'>): Promise<number> {
  const startedAtMs = performance.now()
  const isBack = async (api: ApiClient) =>
    (
      await api
        .send('issueQrCode', { headers: api.asCitizen, json: { purpose: 'share' } })
        .catch(() => undefined)
    )?.ok
  const waitFor = async (api: ApiClient) => {
    while (!(await isBack(api))) await sleep(10)
  }
  await Promise.all(clients.map(waitFor))
  return performance.now() - startedAtMs
}
