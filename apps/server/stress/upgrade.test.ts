// The hand-over from the previous release to the next one under load, as `UPGRADING.md` describes it. The
// next release is the working tree with one more migration.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onServer } from '../src/testing/database.ts'
import { type ApiClient, createApiClient } from '../test/kit/api-client.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../test/kit/webhook-receiver.ts'
import { findInconsistencies } from './check-consistency.ts'
import { checkOut, copyWorkingTree, newestMigration, previousCommit } from './release-tree.ts'
import { UNBOUNDED } from './servers.ts'
import { type Ledger, startTraffic } from './traffic.ts'

const CALM_MS = 3_000
/** The installation may download dependencies. */
const INSTALLATION_MS = 600_000

const LATER = '9999_later'
const ADDITION = [
  `-- needs ${newestMigration()}`,
  ...['authorization_record', 'audit_event', 'citizen', 'partner', 'access_token'].map(
    (table) => `alter table ${table} add column added_later int;`,
  ),
].join('\n')
/** The policy for migrations forbids it, because the previous release uses the column. */
const REMOVAL = 'alter table exchange_code rename column redeemed_at to redeemed;'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiwala-upgrade-'))
  const previous = previousCommit()
  console.log(`The previous release is ${previous}.`)
  await checkOut(previous, join(folder, 'previous'))
  await copyWorkingTree(join(folder, 'next'), { [LATER]: ADDITION })
}, INSTALLATION_MS)
afterAll(() => rm(folder, { recursive: true, force: true }))

const programIn = (tree: string) => join(folder, tree, 'apps/server/main.js')

/** A database and a partner's server. The callback URL of the traffic's partner is at the public URL. */
async function startSurroundings() {
  const [database, receiver] = [await temporaryDatabase('template0'), await startWebhookReceiver()]
  const settings = {
    ...UNBOUNDED,
    ...database.settings,
    TIWALA_PUBLIC_URL: receiver.url,
    TIWALA_DRAIN_MS: '1500',
    LOG_LEVEL: 'info',
  }
  const dispose = async () => {
    await receiver.close()
    await database[Symbol.asyncDispose]()
  }
  return { url: database.url, settings, receiver, [Symbol.asyncDispose]: dispose }
}

async function query(url: string, text: string): Promise<Record<string, unknown>> {
  let row: Record<string, unknown> = {}
  await onServer(
    url,
    async (admin) =>
      void ({
        rows: [row = {}],
      } = await admin.query(text)),
  )
  return row
}

function failuresOf({ responses: { 200: succeeded, ...failed }, faults }: Ledger) {
  console.log(`${succeeded} requests succeeded, others:`, failed)
  return { failed, faults }
}

/** No acknowledged action is lost, and every event was delivered. */
async function expectConsistency(
  { url, receiver }: { url: string; receiver: WebhookReceiver },
  ledger: Ledger,
  api: ApiClient,
): Promise<void> {
  expect(await findInconsistencies(url, ledger, api)).toEqual([])
  const pending = "select count(*)::int as pending from callback_event where status <> 'DELIVERED'"
  await expect.poll(() => query(url, pending)).toEqual({ pending: 0 })
  const { events } = await query(url, 'select count(*)::int as events from callback_event')
  expect(receiver.arrivalsOfEvent.size).toBe(events)
  console.log(`${receiver.arrivals.length} deliveries of ${String(events)} events`)
}

/** As a load balancer does, or a shared port: first the next release is added, then the previous one ends. */
test('both releases serve one database, and no request fails at the hand-over', async () => {
  await using surroundings = await startSurroundings()
  const { settings, url } = surroundings
  await using previous = await startReadyProcess(settings, [], programIn('previous'))
  const before = await createApiClient(previous.url)
  const clients = [before]
  await using traffic = startTraffic({ clients })
  await sleep(CALM_MS)
  await using next = await startReadyProcess(settings, [], programIn('next'))
  const after = await createApiClient(next.url)
  clients.push(after)
  expect((await after.signIn(await before.issueAccessToken())).status).toBe(200)
  expect((await before.signIn(await after.issueAccessToken())).status).toBe(200)
  await sleep(CALM_MS)
  clients.shift()
  expect(await previous.end('SIGTERM')).toBe(0)
  await sleep(CALM_MS)
  await traffic.end()
  expect(failuresOf(traffic.ledger)).toEqual({ failed: {}, faults: [] })
  expect(await query(url, 'select max(name) as newest from kysely_migration')).toEqual({ newest: LATER })
  await expectConsistency(surroundings, traffic.ledger, after)

  // Going back: the working tree without the later migration is the version before.
  await using again = await startReadyProcess(settings)
  expect((await (await createApiClient(again.url)).signIn(await after.issueAccessToken())).status).toBe(200)
})

test('control: a migration that removes what the previous release uses makes its requests fail', async () => {
  await copyWorkingTree(join(folder, 'removing'), { [LATER]: REMOVAL })
  await using surroundings = await startSurroundings()
  await using previous = await startReadyProcess(surroundings.settings, [], programIn('previous'))
  const before = await createApiClient(previous.url)
  expect((await before.redeemExchangeCode(await before.issueExchangeCode())).status).toBe(200)
  await using next = await startReadyProcess(surroundings.settings, [], programIn('removing'))
  expect(next.stderr()).toBe('')
  expect((await before.redeemExchangeCode(await before.issueExchangeCode())).status).toBe(500)
})
