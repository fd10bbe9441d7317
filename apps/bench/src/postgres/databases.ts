import pg from 'pg'

export async function withDatabase<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/** An empty database, or a copy of one that nobody uses at the moment; its address. */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  await withDatabase(url, (admin) =>
    admin.query(`create database ${pg.escapeIdentifier(name)}${template ? ` template ${pg.escapeIdentifier(template)}` : ''}`),
  )
  return databaseUrl(url, name)
}

export const dropDatabase = (url: string, name: string) =>
  withDatabase(url, (admin) => admin.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`))

export function databaseUrl(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

/** What the preparation left to be done later must not be done in somebody's round. */
export const settle = (url: string) =>
  withDatabase(url, async (client) => {
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  })
