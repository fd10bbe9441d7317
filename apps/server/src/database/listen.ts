import pg from 'pg'

const MIN_RETRY_MS = 100
const MAX_RETRY_MS = 5_000
/** The types lack the id of the PostgreSQL process. */
const backendOf = (client: pg.Client) => (client as pg.Client & { processID: number | null }).processID
/** A dead server looks like an idle one, so we ping it. */
const PING_EVERY_MS = 5_000
const TIMEOUT_MS = 2_000

/** `notify` sends notifications on the same channel; it rejects if they may not have been sent. */
export type Listening = { notify(payloads: string[]): Promise<void>; close(): Promise<void> }

const NOTIFY = 'select pg_notify($1, payload) from unnest($2::text[]) payload'

/**
 * Receives the notifications that others send to a channel, and sends some, over its own connection. Reconnects
 * when it breaks.
 * `onGap` is called after each connect, because notifications may have been missed before. `onFailure` is
 * called when an attempt to reconnect fails.
 */
export async function listenOn(
  connection: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
  onGap: () => void,
  onFailure: (error: unknown) => void,
): Promise<Listening> {
  let isClosed = false
  let current: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const client = new pg.Client({
      ...connection,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    })
    // Never removed: a broken connection may emit more than one error, and an error without a listener ends
    // the process.
    client.on('error', () => {})
    // What this connection has sent, this process knows already.
    client.on('notification', ({ processId, payload }) => {
      if (processId !== backendOf(client)) onMessage(payload ?? '')
    })
    current = client
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    const end = () => void client.end().catch(() => {})
    const ping = setInterval(() => void client.query('select 1').catch(end), PING_EVERY_MS)
    client.once('end', () => {
      clearInterval(ping)
      reconnect(MIN_RETRY_MS)
    })
    onGap()
  }

  function reconnect(afterMs: number): void {
    if (isClosed) return
    retry = setTimeout(
      () =>
        void connect().catch((error: unknown) => {
          if (!isClosed) onFailure(error)
          reconnect(Math.min(MAX_RETRY_MS, afterMs * 2))
        }),
      afterMs,
    )
  }

  await connect()
  return {
    notify: async (payloads) => void (await current!.query(NOTIFY, [channel, payloads])),
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      await current?.end().catch(() => {})
    },
  }
}
