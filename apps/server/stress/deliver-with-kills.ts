// Delivers many events while the delivering process is killed again and again.
import { vi } from 'vitest'
import { connectPostgres } from '../src/database/connect.ts'
import { createApiClient } from '../test/kit/api-client.ts'
import { countDelivered, createPartnerWithCallback, writeEvents } from '../test/kit/bulk-events.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'
import { type WebhookReceiver, startWebhookReceiver } from '../test/kit/webhook-receiver.ts'

/** Deliveries ignore the proxy of the environment. Through this proxy, no event would arrive. */
const PROXY = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' }

/** One statement writes all events. */
const MAX_STATEMENT_MS = 30_000

type Options = {
  database: { url: string; folder: string }
  events: number
  kills: number
}

/** Delivers `events` events to three partners, and kills the delivering process `kills` times. */
export async function deliverWithKills({
  database,
  events,
  kills,
}: Options): Promise<Pick<WebhookReceiver, 'arrivals' | 'arrivalsOfEvent'>> {
  const waitUntil = (holds: () => boolean | Promise<boolean>) =>
    vi.waitUntil(holds, { timeout: 120_000, interval: 5 })
  const startServer = () =>
    startReadyProcess({ ...PROXY, DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder })
  await using receiver = await startWebhookReceiver()
  let server = await startServer()
  const { db, close } = connectPostgres(database.url, () => {}, MAX_STATEMENT_MS)
  try {
    const api = await createApiClient(server.url)
    const partners = ['KILLS_A', 'KILLS_B', 'KILLS_C']
    for (const partner of partners)
      await createPartnerWithCallback(api, partner, `${receiver.url}/${partner}`)
    await writeEvents(db, partners, events)
    for (let kill = 1; kill <= kills; kill++) {
      await waitUntil(() => receiver.arrivalsOfEvent.size >= (events * kill) / (kills + 1))
      await server.end('SIGKILL')
      server = await startServer()
    }
    await waitUntil(async () => (await countDelivered(db)) === events)
    return receiver
  } finally {
    await server.end('SIGKILL')
    await close()
  }
}
