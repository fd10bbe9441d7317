import { reasonOf } from '@tiwala/server/describe-error'
import type { Versions } from '@tiwala/server/versions'
import { createTableFormatter } from './format-output.ts'
import { type Io, print, printMessage } from './io.ts'
import { loadSettings } from './load-settings.ts'
import { type Output, printValue } from './print-value.ts'
import { readReadiness } from './read-readiness.ts'

export type VersionOptions = { output: Output; settings?: string; url?: string }

/** Shows the versions of this program, of the service that runs, and of the database in the settings. */
export async function version(
  io: Io,
  operatorUrl: string,
  { output, settings }: VersionOptions,
): Promise<void> {
  await loadSettings(io, settings)
  // Imported here, because few commands need the server.
  const { readVersions } = await import('@tiwala/server/versions')
  const program = await readVersions()
  const { versions, status } = await readReadiness(operatorUrl)
  if (!versions)
    printMessage(
      io,
      status
        ? `The versions of ${operatorUrl} are shown only at the operator's address and on its machine.`
        : `No service answers at ${operatorUrl}.`,
    )
  const service = versions as Versions | undefined
  const schema = await readSchema(io)
  if (output !== 'table')
    return printValue(io, output, { program, service: service ?? null, database: schema ? { schema } : null })
  const rows = [
    { part: 'program', ...program },
    ...(service ? [{ part: 'service', ...service }] : []),
    ...(schema ? [{ part: 'database', schema }] : []),
  ]
  await print(io.stdout, createTableFormatter(['part', 'service', 'contract', 'schema'], io)(rows))
}

async function readSchema(io: Io): Promise<string | undefined> {
  const databaseUrl = io.env['DATABASE_URL']
  if (!databaseUrl) return undefined
  const { readDatabaseSchema } = await import('@tiwala/server/versions')
  try {
    return (await readDatabaseSchema(databaseUrl)) ?? 'empty'
  } catch (error) {
    printMessage(io, `The database in DATABASE_URL cannot be read (${reasonOf(error)}).`)
    return undefined
  }
}
