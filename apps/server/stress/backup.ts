// A PostgreSQL database, copied and restored. No client may be connected to it meanwhile.
import pg from 'pg'

export type Backup = { admin: pg.Client; name: string; copy: string; [Symbol.asyncDispose](): Promise<void> }

export async function backUp(serverUrl: string, databaseUrl: string): Promise<Backup> {
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  const name = new URL(databaseUrl).pathname.slice(1)
  const copy = `${name}_backup`
  await admin.query(`create database ${copy} template ${name}`)
  const dispose = async () => {
    await admin.query(`drop database ${copy}`)
    await admin.end()
  }
  return { admin, name, copy, [Symbol.asyncDispose]: dispose }
}

export async function restore({ admin, name, copy }: Backup): Promise<void> {
  await admin.query(`drop database ${name}`)
  await admin.query(`create database ${name} template ${copy}`)
}
