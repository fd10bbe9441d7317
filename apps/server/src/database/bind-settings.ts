// Binds a database to the settings that its data depends on: the first start stores them, and every later
// start compares them. With other values the service would read the same data with another meaning, and what
// it wrote meanwhile would be wrong, or lost, when the right values return.
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from './connect.ts'

/**
 * `TIWALA_TIME_ZONE`: days of quotas and `accepted_at`. `TIWALA_PUBLIC_URL`: the issuer of receipts, and the
 * URLs that partners have. `TIWALA_CITIZEN_ISSUER`: the `sub` of its tokens are the citizens.
 * `TIWALA_OPERATOR_ISSUER`: the `sub` of its tokens are the actors in the audit. `TIWALA_STAFF_ISSUER`: the
 * first sign-in binds an invitation to this issuer and its `sub`. `TIWALA_ACR_VALUES`: in another order, a weaker
 * assurance than a partner demanded would be enough. A setting without a value is not bound, nor is a loopback
 * address: it is only for programs on the same machine.
 */
const valuesOf = (config: Config): Record<string, string | undefined> => ({
  TIWALA_TIME_ZONE: config.timeZone,
  TIWALA_PUBLIC_URL: config.isLocalSandbox ? undefined : config.publicUrl,
  TIWALA_CITIZEN_ISSUER: config.citizenIdentity.issuer,
  TIWALA_OPERATOR_ISSUER: config.operatorIdentity.issuer,
  TIWALA_STAFF_ISSUER: config.staffIdentity.issuer,
  TIWALA_ACR_VALUES: config.acrValues.join(','),
})

export type BoundSetting = { name: string; bound: string; value: string | undefined }

/** Stores what is not bound yet. Throws if the database belongs to other settings. */
export async function bindSettings(db: Database, config: Config): Promise<void> {
  await sql`insert into installation (environment) values (${config.environment}) on conflict do nothing`.execute(
    db,
  )
  await requireSettings(db, config)
  for (const [name, value] of Object.entries(valuesOf(config)))
    if (value !== undefined)
      await sql`insert into bound_setting (name, value) values (${name}, ${value}) on conflict do nothing`.execute(
        db,
      )
}

/** Throws if the database belongs to other settings. It changes nothing. */
export async function requireSettings(db: Database, config: Config): Promise<void> {
  await requireEnvironment(db, config)
  const different = await findDifferentSettings(db, config)
  if (!different.length) return
  const lines = different.map(
    ({ name, bound, value }) => `${name}: is ${value ?? 'not set'}, and this database belongs to ${bound}.`,
  )
  throw new Error(
    `${lines.join(' ')} Correct the setting or DATABASE_URL; no data was touched. ` +
      'To change it deliberately: stop every process, then run "tiwala rebind --settings <file>".',
  )
}

/** A sandbox on live data would give that data to everyone, so no command changes the environment. */
export async function requireEnvironment(db: Database, { environment }: Config): Promise<void> {
  const { rows } = await sql<{ environment: string }>`select environment from installation`.execute(db)
  const owner = rows[0]?.environment ?? environment
  if (owner !== environment)
    throw new Error(
      `This database belongs to the ${owner} environment and this process is ${environment}. ` +
        'Check TIWALA_ENVIRONMENT and DATABASE_URL; no data was touched.',
    )
}

/** The settings whose value is not the bound one. */
export async function findDifferentSettings(db: Database, config: Config): Promise<BoundSetting[]> {
  const { rows } = await sql<{ name: string; value: string }>`
    select name, value from bound_setting order by name`.execute(db)
  const values = valuesOf(config)
  return rows
    .map(({ name, value: bound }) => ({ name, bound, value: values[name] }))
    .filter(({ bound, value }) => value !== bound)
}

/** Binds the database to other values. The environment and the keys stay as they are. */
export async function storeSettings(tx: Database, changes: readonly BoundSetting[]): Promise<void> {
  for (const { name, value } of changes)
    await (value === undefined
      ? sql`delete from bound_setting where name = ${name}`.execute(tx)
      : sql`update bound_setting set value = ${value} where name = ${name}`.execute(tx))
}
