import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { describeError } from '../describe-error.ts'
import { connectPostgres, type OpenDatabase } from './connect.ts'
import { requirePostgres } from './require-postgres.ts'

/** Opens the database of the settings. Throws one line for the operator if it cannot be used. */
export async function openConfiguredDatabase(
  {
    databaseUrl,
    poolerUrl,
    replicaUrl,
    dataDir,
    admission,
  }: Pick<Config, 'databaseUrl' | 'dataDir'> & {
    poolerUrl?: string | undefined
    replicaUrl?: string | undefined
    admission: Pick<Config['admission'], 'deadlineMs'>
  },
  log: Pick<Logger, 'warn'>,
): Promise<OpenDatabase> {
  if (!databaseUrl) {
    // Imported here, because a release does not have it.
    const { connectEmbedded } = await import('./embedded.ts')
    return connectEmbedded(dataDir)
  }
  const options = {
    databaseUrl,
    poolerUrl,
    replicaUrl,
    requestMs: admission.deadlineMs,
    startingProcesses: 1,
  }
  const pooler = await requirePostgres(options, (text) => log.warn(text))
  return connectPostgres(
    databaseUrl,
    (error) =>
      log.warn(
        describeError(error),
        'an idle database connection was lost; the next request opens a new one',
      ),
    admission.deadlineMs,
    { pooler, replicaUrl },
  )
}
