// Checks a configuration, before and after the start: `tiwala doctor`. The checks of settings, keys and
// database are the ones of the start. It changes nothing.
import proxyaddr from 'proxy-addr'
import { type Config, readConfig } from '../config.ts'
import { connectPostgres } from '../database/connect.ts'
import { requireDataFolder } from '../database/data-folder.ts'
import { isLoopbackHost } from '../network/addresses.ts'
import { listCallbackUrls } from '../partners/set-callback/set-callback.sql.ts'
import { requireKeys } from '../secrets/open-key-ring.ts'
import { SETTINGS } from '../settings.ts'
import { checkAddresses } from './check-addresses.ts'
import { checkCallbacks } from './check-callbacks.ts'
import { checkBoundKeys, checkDatabase, checkSchema, checkPartitions } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkProviders } from './check-providers.ts'
import { checkToken } from './check-token.ts'
import { type Finding, problem, messageOf, note, ok } from './finding.ts'

export type { Finding }

const MAX_CALLBACKS = 20
/** Variables of the terminal's other commands. */
const OF_TERMINAL = new Set([
  'TIWALA_OPERATOR_URL',
  'TIWALA_OPERATOR_TOKEN',
  'TIWALA_OPERATOR_TOKEN_COMMAND',
  'TIWALA_CONTEXT',
  'TIWALA_PAGER',
  'TIWALA_PARTNER',
])

/**
 * `callbackUrls`: further URLs to connect to, before a partner has one; null: no server of a partner is contacted.
 * `token`: checks only the settings and this token.
 */
export async function* diagnose(
  environment: NodeJS.ProcessEnv,
  callbackUrls: string[] | null = [],
  token?: string,
): AsyncGenerator<Finding> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    const problems = messageOf(error).split('\n  ')
    yield* (problems.length > 1 ? problems.slice(1) : problems).map((text) => problem('settings', text))
    return
  }
  yield ok('settings', `complete (${config.environment})`)
  for (const name of Object.keys(environment).filter(isUnknownSetting))
    yield problem(
      'settings',
      `${name}: is not a setting, so it has no effect. Check its spelling, or remove it.`,
    )
  if (token !== undefined) {
    yield* await checkToken(config, token)
    return
  }
  yield* await checkDataFolder(config)
  const keyRing = await checkKeys(config)
  yield keyRing
  const database = await checkDatabase(config)
  yield* database
  const isReachable = database.every(({ about }) => about !== 'database connection')
  yield* await checkContent(config, callbackUrls, isReachable, keyRing.status === 'ok')
  yield* await checkProviders(config)
  yield checkProxies(config)
  yield* await checkDisk(config.environment === 'sandbox' ? [config.dataDir] : [])
  yield* await checkAddresses(config)
}

const isUnknownSetting = (name: string) =>
  name.startsWith('TIWALA_') && !(name in SETTINGS) && !OF_TERMINAL.has(name)

async function checkDataFolder(config: Config): Promise<Finding[]> {
  try {
    await requireDataFolder(config)
    return []
  } catch (error) {
    return [problem('data folder', messageOf(error))]
  }
}

async function checkKeys(config: Config): Promise<Finding> {
  try {
    await requireKeys(config)
    return ok('key ring', 'has a key for each purpose')
  } catch (error) {
    return problem('key ring', messageOf(error))
  }
}

/** The schema, the keys that its data needs, and the servers that receive events. */
async function checkContent(
  config: Config,
  callbackUrls: string[] | null,
  isReachable: boolean,
  hasKeys: boolean,
): Promise<Finding[]> {
  const { databaseUrl, callbackAddresses } = config
  if (!databaseUrl || !isReachable) return checkCallbacks(callbackUrls ?? [], callbackAddresses)
  const database = connectPostgres(databaseUrl, () => {})
  const schema = await checkSchema(database.unbounded, config)
  const keys = schema.status === 'ok' && hasKeys ? await checkBoundKeys(database.unbounded, config) : []
  const stored =
    callbackUrls && schema.status === 'ok' ? await listCallbackUrls(database.unbounded, MAX_CALLBACKS) : []
  const partitions = schema.status === 'ok' ? [await checkPartitions(database.unbounded)] : []
  await database.close()
  return [
    schema,
    ...partitions,
    ...keys,
    ...(await checkCallbacks([...(callbackUrls ?? []), ...stored], callbackAddresses)),
  ]
}

function checkProxies({ trustedProxies, listeners }: Config): Finding {
  const about = 'proxies'
  if (!trustedProxies.length) return note(about, 'none is trusted: callers connect directly')
  const { host } = listeners[0]!
  return isLoopbackHost(host) && !proxyaddr.compile(trustedProxies)('127.0.0.1', 0)
    ? problem(
        about,
        `the service listens on ${host}, so its proxy has a loopback address, but ` +
          `TIWALA_TRUSTED_PROXIES has none: add 127.0.0.1, or set HOST to the address that the proxy uses.`,
      )
    : ok(about, `X-Forwarded-For is believed from ${trustedProxies.join(', ')}`)
}
