import pg from 'pg'

export async function withDatabase<Result>(
  url: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/**
 * Creates an empty database, or a copy of `template`, and returns its URL. No connection to the template may
 * be open, because PostgreSQL then refuses to copy it.
 */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  const templateClause = template ? ` template ${pg.escapeIdentifier(template)}` : ''
  await withDatabase(url, (admin) =>
    admin.query(`create database ${pg.escapeIdentifier(name)}${templateClause}`),
  )
  return databaseUrl(url, name)
}

export const dropDatabase = (url: string, name: string) =>
  withDatabase(url, (admin) =>
    admin.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  )

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Does the background work that filling the tables leaves for later, so that it does not run during a round.
 */
export const vacuumAndCheckpoint = (url: string) =>
  withDatabase(url, async (client) => {
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  })
