import { countDaysAhead, DAYS_AHEAD } from '../authorizations/record-partitions.sql.ts'
import type { Config } from '../config.ts'
import { requireSettings } from '../database/bind-settings.ts'
import type { Database } from '../database/connect.ts'
import { readSchemaState } from '../database/migrate.ts'
import { checkPostgres } from '../database/require-postgres.ts'
import { requireTimeZone } from '../database/time-zone.ts'
import { requireFittingKeys, requireNoKeys } from '../keys/bind-keys.ts'
import { fileOf, requireKeys } from '../secrets/open-key-ring.ts'
import { type Finding, problem, messageOf, note, ok } from './finding.ts'

/** The checks of the start. */
export async function checkDatabase({
  databaseUrl,
  poolerUrl,
  replicaUrl,
  admission,
}: Config): Promise<Finding[]> {
  if (!databaseUrl) return [note('database', 'embedded (sandbox only)')]
  const { address, checks } = await checkPostgres({
    databaseUrl,
    poolerUrl,
    replicaUrl,
    requestMs: admission.deadlineMs,
  })
  return checks.map(({ name, found, problem: fault }) => {
    const about = `database ${name}`
    return fault === undefined ? ok(about, found) : problem(about, `PostgreSQL at ${address}: ${fault}.`)
  })
}

/** A problem if the key ring is not the one of the database. */
export async function checkBoundKeys(db: Database, config: Config): Promise<Finding[]> {
  try {
    const ringKeys = await requireKeys(config)
    await (ringKeys ? requireFittingKeys(db, ringKeys, config) : requireNoKeys(db, fileOf(config)))
    return []
  } catch (error) {
    return [problem('key ring', messageOf(error))]
  }
}

/** Whether the partitions of the next days exist. A service that runs makes them. */
export async function checkPartitions(db: Database): Promise<Finding> {
  const days = await countDaysAhead(db)
  const about = 'record partitions'
  return days >= DAYS_AHEAD - 1
    ? ok(about, `made by a function of this database for the next ${days} days; pg_partman is not needed`)
    : note(about, 'some of the next days have none: the service makes them within a minute of its start')
}

/** What the start would do with the database. It changes nothing. */
export async function checkSchema(db: Database, config: Config): Promise<Finding> {
  try {
    await requireTimeZone(db, config.timeZone)
    const { newest, missing } = await readSchemaState(db)
    if (missing)
      return note('database schema', `the next start applies ${missing} migrations, up to ${newest}`)
    await requireSettings(db, config)
    return ok('database schema', `${newest}, ${config.environment}`)
  } catch (error) {
    return problem('database schema', messageOf(error))
  }
}
