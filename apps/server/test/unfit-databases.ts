// Every PostgreSQL that a start refuses, and the words of the refusal.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'
import { freePort } from '../src/testing/start-service.ts'

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

const LENGTH_BYTES = 4
/** Where the parameters of a startup message begin: after its length and the version of the protocol. */
const PARAMETERS_AT = 8

/** The parameters of a startup message: pairs of a name and a value, each ended by a zero byte. */
export function readStartup(message: Buffer): Map<string, string> {
  const texts = message.subarray(PARAMETERS_AT).toString().split('\0')
  return new Map(texts.flatMap((text, index) => (index % 2 === 0 && text ? [[text, texts[index + 1]!]] : [])))
}

/** PostgreSQL behind a proxy that may change the startup message of each connection. */
export const proxyTo = (port: string, onStartup: (parameters: Map<string, string>) => void): Promise<string> =>
  listening((socket) => {
    const behind = connect(Number(port), '127.0.0.1')
    behind
      .on('error', () => socket.destroy())
      .pipe(socket)
      .on('error', () => behind.destroy())
    socket.once('data', (message) => {
      const parameters = readStartup(message)
      onStartup(parameters)
      const body = Buffer.from(
        [...parameters]
          .flat()
          .map((text) => `${text}\0`)
          .join('') + '\0',
      )
      const head = Buffer.from(message.subarray(0, PARAMETERS_AT))
      head.writeUInt32BE(PARAMETERS_AT + body.length, 0)
      behind.write(Buffer.concat([head, body]))
      socket.pipe(behind)
    })
  })

/** Refuses every connection as PgBouncer does that may not ignore the options. */
const refusingOptions = () =>
  listening((socket) => {
    const fields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0')
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(LENGTH_BYTES + fields.length)
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])))
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

/** A role that may do what a start does, but for what `alter` changes. */
async function asAlteredRole(given: Given, alter: (role: string, database: string) => string) {
  const undo = await asRole(given, `create on database ${database(given)}`, 'create on schema public')
  await given.admin.query(alter(given.url.username, database(given)))
  return undo
}

export const setInDatabase = (setting: string) => (given: Given) => given.admin.query(`alter database ${database(given)} set ${setting}`)

/** A database beside the given one, in an encoding that cannot hold every name. */
async function inLatin1({ url, admin }: Given) {
  const name = `${url.pathname.slice(1)}_latin1`
  await admin.query(`create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`)
  url.pathname = `/${name}`
  return () => admin.query(`drop database ${name}`)
}

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
  ['no answer', EMPTY, async ({ url }) => (url.port = await listening(() => {})), /no response within 5 seconds/],
  ['PostgreSQL 14', EMPTY, async ({ url }) => (url.port = await olderBy(url.port)), /it is version 1\d.*, and Tiwala needs 15 or later/],
  ['a wrong password', EMPTY, async ({ url }) => (url.password = PASSWORD), /password authentication failed for user "postgres"/],
  ['an unknown role', EMPTY, async ({ url }) => (url.username = 'nobody'), /password authentication failed for user "nobody"/],
  ['an unknown database', EMPTY, async ({ url }) => (url.pathname = '/nowhere'), /database "nowhere" does not exist/],
  [
    'a standby',
    EMPTY,
    (given) => given.admin.query(`alter database ${database(given)} set default_transaction_read_only = on`),
    /it is read-only \(a standby, or default_transaction_read_only is on\)\. Check DATABASE_URL\./,
  ],
  [
    'a pooler that drops the options of the session',
    EMPTY,
    async ({ url }) => (url.port = await proxyTo(url.port, (parameters) => parameters.delete('options'))),
    /cannot be used: the start options of the session do not arrive, so a pooler .* let DATABASE_URL lead to PostgreSQL itself\./,
  ],
  [
    'a pooler that refuses the options of the session',
    EMPTY,
    async ({ url }) => (url.port = await refusingOptions()),
    /cannot be used: the start options of the session do not arrive, so a pooler .* let DATABASE_URL lead to PostgreSQL itself\./,
  ],
  [
    'a setting of a session in DATABASE_URL',
    EMPTY,
    async ({ url }) => url.searchParams.set('lock_timeout', '5'),
    /lock_timeout is 5 in our sessions and must be 250: remove it from DATABASE_URL/,
  ],
  ['a database of another encoding', EMPTY, inLatin1, /the encoding of its database is LATIN1, and Tiwala needs UTF8/],
  [
    'a database that loses what it acknowledged',
    EMPTY,
    setInDatabase('synchronous_commit = off'),
    /synchronous_commit is off, .*: alter role postgres set synchronous_commit = on\./,
  ],
  [
    'a database whose triggers do not run',
    EMPTY,
    setInDatabase('session_replication_role = replica'),
    /session_replication_role is replica, .*: alter role postgres set session_replication_role = origin\./,
  ],
  [
    'a role of too few connections',
    EMPTY,
    (given) => asAlteredRole(given, (role) => `alter role ${role} connection limit 31`),
    /the role role_tiwala_test_\w+ may have 31 connections and Tiwala needs 32, .*: alter role role_tiwala_test_\w+ connection limit 32\./,
  ],
  [
    'a database of too few connections',
    EMPTY,
    (given) => asAlteredRole(given, (_role, name) => `alter database ${name} connection limit 31`),
    /the database tiwala_test_\w+ may have 31 connections and Tiwala needs 32, .*: alter database tiwala_test_\w+ connection limit 32\./,
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
