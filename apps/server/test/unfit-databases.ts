// Every PostgreSQL that a start refuses, and the words of the refusal.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'
import { freePort } from '../src/testing.ts'

export const PASSWORD = 'S3cretWord'
export const EMPTY = 'template0'

type Given = { url: URL; admin: pg.Client }
/** Spoils the address or what is there; what the server keeps beyond the database, it gives a way to undo. */
export type Spoil = (given: Given) => Promise<unknown>

/** A TCP server that does this with whoever connects, for as long as the test process lives. */
async function listening(onConnection: (socket: Socket) => unknown): Promise<string> {
  const server = createServer(onConnection).listen(0, '127.0.0.1').unref()
  await new Promise((resolve) => server.once('listening', resolve))
  return String((server.address() as AddressInfo).port)
}

/** `server_version_num`, as long as its name does not come into use elsewhere. */
const NUMBER = /\b1[5-9]00\d{2}\b/g

/** PostgreSQL as it is, but for the version that it tells. */
const olderBy = (port: string) =>
  listening((socket) => {
    const behind = connect(Number(port), '127.0.0.1')
    socket.pipe(behind).on('error', () => {})
    behind.on('data', (chunk) => socket.write(Buffer.from(chunk.toString('latin1').replace(NUMBER, '140020'), 'latin1')))
    behind.on('end', () => socket.end())
  })

/** A role that may not do everything. */
async function asRole({ url, admin }: Given, ...grants: string[]) {
  const role = `role_${url.pathname.slice(1)}`
  await admin.query(`create role ${role} login password '${PASSWORD}'`)
  for (const grant of grants) await admin.query(`grant ${grant} to ${role}`)
  Object.assign(url, { username: role, password: PASSWORD })
  return () => admin.query(`drop owned by ${role}; drop role ${role}`)
}

const database = ({ url }: Given) => url.pathname.slice(1)

export const REFUSED: [what: string, template: string | undefined, spoil: Spoil, words: RegExp][] = [
  [
    'nothing listens',
    EMPTY,
    async ({ url }) => (url.port = String(await freePort())),
    /cannot be used: nothing listens there\. Check DATABASE_URL\./,
  ],
  [
    'an unknown host',
    EMPTY,
    async ({ url }) => (url.hostname = 'nowhere.invalid'),
    /at nowhere\.invalid:\d+ cannot be used: the host is not known/,
  ],
  ['no answer', EMPTY, async ({ url }) => (url.port = await listening(() => {})), /no answer within 5 seconds/],
  ['PostgreSQL 14', EMPTY, async ({ url }) => (url.port = await olderBy(url.port)), /it is version 1\d.*, and Tiwala needs 15 or later/],
  ['a wrong password', EMPTY, async ({ url }) => (url.password = PASSWORD), /password authentication failed for user "postgres"/],
  ['an unknown role', EMPTY, async ({ url }) => (url.username = 'nobody'), /password authentication failed for user "nobody"/],
  ['an unknown database', EMPTY, async ({ url }) => (url.pathname = '/nowhere'), /database "nowhere" does not exist/],
  [
    'a standby',
    EMPTY,
    (given) => given.admin.query(`alter database ${database(given)} set default_transaction_read_only = on`),
    /it is read-only/,
  ],
  [
    'a role that may not make tables',
    EMPTY,
    (given) => asRole(given, `create on database ${database(given)}`),
    /lacks a permission that the start needs; nothing was changed\. \(permission denied for schema public\)/,
  ],
  [
    'a role that may not make the schema of the job queue',
    EMPTY,
    (given) => asRole(given, 'create on schema public'),
    /may not create the schema job_queue in the database; nothing was changed/,
  ],
  [
    'tables of ours without the table of migrations',
    EMPTY,
    ({ admin }) => admin.query('create table partner ()'),
    /holds a part of the schema, .*; nothing was changed\. \(relation "partner" already exists\)/,
  ],
  [
    'a schema newer than this program',
    undefined,
    ({ admin }) => admin.query(`insert into kysely_migration values ('9999_later', now()::text)`),
    /schema is newer than this program \(9999_later\); nothing was changed/,
  ],
  [
    "the other environment's database",
    undefined,
    ({ admin }) => admin.query(`insert into installation (environment) values ('live')`),
    /belongs to the live environment and this process is sandbox/,
  ],
]
