import pg from 'pg'

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000
/** Of a server that vanished without a word nothing is heard, as of one that has nothing to say: it is asked. */
const ASK_EVERY_MS = 5_000
const ANSWER_WITHIN_MS = 2_000

export type Listening = { close(): Promise<void> }

/**
 * Hears what is notified on a channel over a connection of its own, which is made anew whenever it breaks; `onGap` is called
 * each time that something may have been missed.
 */
export async function listenOn(
  connection: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
  onGap: () => void,
): Promise<Listening> {
  let isClosed = false
  let current: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const client = new pg.Client({
      ...connection,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    })
    // For as long as it lives: a connection that breaks may tell of it more than once, and an unheard error ends the process.
    client.on('error', () => {})
    client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    current = client
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    const end = () => void client.end().catch(() => {})
    const asking = setInterval(() => void client.query('select 1').catch(end), ASK_EVERY_MS)
    client.once('end', () => {
      clearInterval(asking)
      reconnect(FIRST_RETRY_MS)
    })
    onGap()
  }

  function reconnect(afterMs: number): void {
    if (isClosed) return
    retry = setTimeout(() => void connect().catch(() => reconnect(Math.min(LONGEST_RETRY_MS, afterMs * 2))), afterMs)
  }

  await connect()
  return {
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      await current?.end().catch(() => {})
    },
  }
}
