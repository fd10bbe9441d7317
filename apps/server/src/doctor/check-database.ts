import type { Config } from '../config.ts'
import { requireEnvironment } from '../database/bind-environment.ts'
import type { Database } from '../database/connect.ts'
import { readSchemaState } from '../database/migrate.ts'
import { checkPostgres } from '../database/require-postgres.ts'
import { requireTimeZone } from '../database/time-zone.ts'
import { type Finding, problem, messageOf, note, ok } from './finding.ts'

/** The checks of the start. */
export async function checkDatabase({ databaseUrl, admission }: Config): Promise<Finding[]> {
  if (!databaseUrl) return [note('database', 'embedded (sandbox only)')]
  const { address, checks } = await checkPostgres({ databaseUrl, requestMs: admission.deadlineMs })
  return checks.map(({ name, found, problem: fault }) => {
    const about = `database ${name}`
    return fault === undefined ? ok(about, found) : problem(about, `PostgreSQL at ${address}: ${fault}.`)
  })
}

/** What the start would do with the database. It changes nothing. */
export async function checkSchema(db: Database, { environment, timeZone }: Config): Promise<Finding> {
  try {
    await requireTimeZone(db, timeZone)
    const { newest, missing } = await readSchemaState(db)
    if (missing)
      return note('database schema', `the next start applies ${missing} migrations, up to ${newest}`)
    await requireEnvironment(db, environment)
    return ok('database schema', `${newest}, ${environment}`)
  } catch (error) {
    return problem('database schema', messageOf(error))
  }
}
