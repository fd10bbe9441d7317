// Every PostgreSQL that a start refuses, and the error message of each.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'
import { freePort } from '../../src/testing/start-service.ts'

export const PASSWORD = 'S3cretWord'
export const EMPTY = 'template0'

type Target = { url: URL; admin: pg.Client }
/** Makes the database unusable. Returns a function that removes what exists outside of the database. */
export type MakeUnusable = (target: Target) => Promise<unknown>

/** Starts a TCP server that runs as long as the test process. Returns its port. */
async function listen(onConnection: (socket: Socket) => unknown): Promise<string> {
  const server = createServer(onConnection).listen(0, '127.0.0.1').unref()
  await new Promise((resolve) => server.once('listening', resolve))
  return String((server.address() as AddressInfo).port)
}

/** `server_version_num` in the messages of PostgreSQL 15 to 19. */
const NUMBER = /\b1[5-9]00\d{2}\b/g

/** A proxy to PostgreSQL that reports version 14. */
const proxyAsVersion14 = (port: string) =>
  listen((socket) => {
    const upstream = connect(Number(port), '127.0.0.1')
    socket.pipe(upstream).on('error', () => {})
    upstream.on('data', (chunk) =>
      socket.write(Buffer.from(chunk.toString('latin1').replace(NUMBER, '140020'), 'latin1')),
    )
    upstream.on('end', () => socket.end())
  })

const LENGTH_BYTES = 4
/** After the length of the message and the protocol version. */
const PARAMETERS_AT = 8

/** The parameters of a startup message: pairs of a name and a value, each terminated by a zero byte. */
export function readStartup(message: Buffer): Map<string, string> {
  const texts = message.subarray(PARAMETERS_AT).toString().split('\0')
  return new Map(texts.flatMap((text, index) => (index % 2 === 0 && text ? [[text, texts[index + 1]!]] : [])))
}

/** A proxy to PostgreSQL that may change the startup message of each connection. */
export const proxyTo = (
  port: string,
  onStartup: (parameters: Map<string, string>) => void,
): Promise<string> =>
  listen((socket) => {
    const upstream = connect(Number(port), '127.0.0.1')
    upstream
      .on('error', () => socket.destroy())
      .pipe(socket)
      .on('error', () => upstream.destroy())
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
      upstream.write(Buffer.concat([head, body]))
      socket.pipe(upstream)
    })
  })

/** Refuses every connection in the way of a PgBouncer that does not ignore the `options` parameter. */
const rejectOptions = () =>
  listen((socket) => {
    const fields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0')
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(LENGTH_BYTES + fields.length)
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])))
  })

/** Connects as a role with limited permissions. */
async function useRole({ url, admin }: Target, ...grants: string[]) {
  const role = `role_${url.pathname.slice(1)}`
  await admin.query(`create role ${role} login password '${PASSWORD}'`)
  for (const grant of grants) await admin.query(`grant ${grant} to ${role}`)
  Object.assign(url, { username: role, password: PASSWORD })
  return () => admin.query(`drop owned by ${role}; drop role ${role}`)
}

const database = ({ url }: Target) => url.pathname.slice(1)

/** Connects as a role that has the permissions for a start, except for the change that `alter` makes. */
async function useAlteredRole(target: Target, alter: (role: string, database: string) => string) {
  const undo = await useRole(target, `create on database ${database(target)}`, 'create on schema public')
  await target.admin.query(alter(target.url.username, database(target)))
  return undo
}

export const setInDatabase = (setting: string) => (target: Target) =>
  target.admin.query(`alter database ${database(target)} set ${setting}`)

/** As after a start with this setting. */
const bindTo = (name: string, value: string) => (target: Target) =>
  target.admin.query('insert into bound_setting values ($1, $2)', [name, value])

/** Creates a second database in an encoding that cannot store every name. */
async function useLatin1({ url, admin }: Target) {
  const name = `${url.pathname.slice(1)}_latin1`
  await admin.query(
    `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
  )
  url.pathname = `/${name}`
  return () => admin.query(`drop database ${name}`)
}

export const UNUSABLE_DATABASES: [
  what: string,
  template: string | undefined,
  makeUnusable: MakeUnusable,
  message: RegExp,
][] = [
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
  [
    'no response',
    EMPTY,
    async ({ url }) => (url.port = await listen(() => {})),
    /no response within 5 seconds/,
  ],
  [
    'PostgreSQL 14',
    EMPTY,
    async ({ url }) => (url.port = await proxyAsVersion14(url.port)),
    /it is version 1\d.*, and Tiwala needs 15 or later/,
  ],
  [
    'a wrong password',
    EMPTY,
    async ({ url }) => (url.password = PASSWORD),
    /password authentication failed for user "postgres"/,
  ],
  [
    'an unknown role',
    EMPTY,
    async ({ url }) => (url.username = 'unknown_role'),
    /password authentication failed for user "unknown_role"/,
  ],
  [
    'an unknown database',
    EMPTY,
    async ({ url }) => (url.pathname = '/nowhere'),
    /database "nowhere" does not exist/,
  ],
  [
    'a standby',
    EMPTY,
    (target) =>
      target.admin.query(`alter database ${database(target)} set default_transaction_read_only = on`),
    /it is read-only \(a standby, or default_transaction_read_only is on\)\. Check DATABASE_URL\./,
  ],
  [
    'a pooler that drops the options of the session',
    EMPTY,
    async ({ url }) => (url.port = await proxyTo(url.port, (parameters) => parameters.delete('options'))),
    /the start options of the session do not arrive, .* let DATABASE_URL lead to PostgreSQL itself, and TIWALA_POOLER_URL to the pooler\./,
  ],
  [
    'a pooler that refuses the options of the session',
    EMPTY,
    async ({ url }) => (url.port = await rejectOptions()),
    /the start options of the session do not arrive, .* let DATABASE_URL lead to PostgreSQL itself, and TIWALA_POOLER_URL to the pooler\./,
  ],
  [
    'a session setting in DATABASE_URL',
    EMPTY,
    async ({ url }) => url.searchParams.set('lock_timeout', '5'),
    /lock_timeout is 5 in our sessions and must be 250: remove it from DATABASE_URL/,
  ],
  [
    'a database with another encoding',
    EMPTY,
    useLatin1,
    /the encoding of its database is LATIN1, and Tiwala needs UTF8/,
  ],
  [
    'a database whose triggers do not run',
    EMPTY,
    setInDatabase('session_replication_role = replica'),
    /session_replication_role is replica, .*: alter role postgres set session_replication_role = origin\./,
  ],
  [
    'a role with too few connections',
    EMPTY,
    (target) => useAlteredRole(target, (role) => `alter role ${role} connection limit 29`),
    /the role (role_tiwala_test_\w+) may have 29 connections .* alter role \1 connection limit 30\./,
  ],
  [
    'a database with too few connections',
    EMPTY,
    (target) => useAlteredRole(target, (_role, name) => `alter database ${name} connection limit 29`),
    /the database (tiwala_test_\w+) may have 29 connections .* alter database \1 connection limit 30\./,
  ],
  [
    'a role that may not create tables',
    EMPTY,
    (target) => useRole(target, `create on database ${database(target)}`),
    /the role (role_tiwala_test_\w+) may not create tables: grant create on schema public to \1\./,
  ],
  [
    'a role that may not use the tables',
    undefined,
    (target) => useRole(target, `create on database ${database(target)}`, 'create on schema public'),
    /the role (role_tiwala_test_\w+) may not use the table public\.\w+: make \1 the owner/,
  ],
  [
    'tables of the service without the migrations table',
    EMPTY,
    ({ admin }) => admin.query('create table partner ()'),
    /holds a part of the schema, .*; nothing was changed\. \(relation "partner" already exists\)/,
  ],
  [
    'a schema that is newer than this program',
    undefined,
    ({ admin }) => admin.query(`insert into kysely_migration values ('9999_later', now()::text)`),
    /schema is newer than this program \(9999_later\); nothing was changed/,
  ],
  [
    'another time zone than that of the database',
    undefined,
    bindTo('TIWALA_TIME_ZONE', 'Asia/Tokyo'),
    /^TIWALA_TIME_ZONE: is Asia\/Manila, and this database belongs to Asia\/Tokyo\. .* "tiwala rebind /,
  ],
  [
    'another public URL than that of the database',
    undefined,
    bindTo('TIWALA_PUBLIC_URL', 'https://tiwala.example'),
    /^TIWALA_PUBLIC_URL: is not set, and this database belongs to https:\/\/tiwala\.example\./,
  ],
  [
    'another issuer of citizens than that of the database',
    undefined,
    bindTo('TIWALA_CITIZEN_ISSUER', 'https://citizens.example'),
    /^TIWALA_CITIZEN_ISSUER: is not set, and this database belongs to https:\/\/citizens\.example\./,
  ],
  [
    'another issuer of administrators than that of the database',
    undefined,
    bindTo('TIWALA_OPERATOR_ISSUER', 'https://operators.example'),
    /^TIWALA_OPERATOR_ISSUER: is not set, and this database belongs to https:\/\/operators\.example\./,
  ],
  [
    'another order of the assurance of citizens than that of the database',
    undefined,
    bindTo('TIWALA_ACR_VALUES', 'high,substantial,low'),
    /^TIWALA_ACR_VALUES: is low,substantial,high, and this database belongs to high,substantial,low\./,
  ],
  [
    'a missing key file, and a database with keys',
    undefined,
    ({ admin }) => admin.query(`insert into bound_key values ('pepper', 'k1', 'f')`),
    /^TIWALA_DATA_DIR: the key file .*keys\.json is missing, and the database holds data that needs its keys\./,
  ],
  [
    'a missing key file, and data of a version that bound no keys',
    undefined,
    ({ admin }) =>
      admin.query(
        `insert into citizen (uniqid_hmac, subject, data_key) values ('k1.h', gen_random_uuid(), 'k1.d')`,
      ),
    /^TIWALA_DATA_DIR: the key file .*keys\.json is missing, and the database holds data that needs its keys\./,
  ],
  [
    'a database of the other environment',
    undefined,
    ({ admin }) => admin.query(`insert into installation (environment) values ('live')`),
    /belongs to the live environment and this process is sandbox/,
  ],
]
