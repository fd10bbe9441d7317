// The guards of the policy for migrations (`UPGRADING.md`).
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectNone } from './expect-none.ts'
import { handWritten, ROOT } from './files.ts'
import { findEdited, findUnlisted, lintMigrations, type Released } from './migration-rules.ts'

const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as unknown
const migrations = Object.fromEntries(
  handWritten(/^apps\/server\/migrations\/.*\.sql$/).map(({ path, text }) => [basename(path, '.sql'), text]),
)
const released = readJson('apps/server/migrations/released.json') as Released
const { version } = readJson('package.json') as { version: string }

const FIRST = `create table partner (id bigint primary key, note text);
create function note_of(partner) returns text language sql as $$ select 'drop table partner; ' $$;
create index partner_note on partner (note);
alter table partner add column name text not null;`
const lint = (second: string, needs = '-- needs 0001_first\n') =>
  lintMigrations(
    { '0001_first': FIRST, '0002_second': needs + second },
    { '1.0.0': { '0001_first': '' }, '1.1.0': {}, '1.2.0': { '0002_second': '' } },
  )

describe('a migration that breaks the release before, or locks a table for long, is refused', () => {
  test.each([
    ['drop table partner', /removes something/],
    ['drop index partner_note', /removes something/],
    ['drop function note_of', /removes something/],
    ['alter table partner drop column note', /removes a column/],
    ['alter table only public.partner drop note', /removes a column/],
    ['alter table partner rename column note to remark', /renames/],
    ['alter table partner rename to client', /renames/],
    ['alter table partner alter column note type int', /changes a type/],
    ['alter table partner alter note set data type int', /changes a type/],
    ['alter table partner alter column note set not null', /may store null/],
    ['alter table partner add column code text not null', /give it a default/],
    ['ALTER TABLE partner\n  ADD code text\n  NOT NULL', /give it a default/],
    ['alter table partner add a numeric(8, 2) default 1, add b int not null', /give it a default.*add b int/],
    ['alter table partner add check (id > 0)', /as not valid/],
    ['alter table partner add constraint c foreign key (id) references other', /as not valid/],
    ['alter table partner add unique (note)', /builds an index/],
    ['create index second on partner (note)', /create index concurrently/],
    ['create unique index second on public.partner (note)', /create index concurrently/],
    ['-- unused since 1.1.0\ndrop table partner', /names no earlier release[^]*removes something/],
    ['-- unused since 1.2.0\ndrop table partner', /names no earlier release[^]*removes something/],
    ['-- unused since 1.0.0\nalter table partner rename to client', /renames/],
  ])('%s', (second, problem) => {
    expect(lint(`${second};`).join('\n')).toMatch(problem)
  })
})

describe('a migration that adds is accepted', () => {
  test.each([
    'create table other (id bigint primary key, code text not null unique); create index on other (code);',
    'alter table partner add column code text;',
    "alter table partner add column code text not null default '';",
    'alter table partner add constraint c check (id > 0) not valid;',
    'alter table partner drop constraint c; alter table partner alter column note drop not null;',
    'create index if not exists second on partner (note);',
    '-- unused since 1.0.0\nalter table partner drop column note;',
    'insert into partner values (1);',
  ])('%s', (second) => {
    expectNone(lint(second))
  })
})

test('from 1.0, a migration says which versions can run on the new schema', () => {
  expect(lint('', '')).toEqual([
    '0002_second: does not say which versions can run on it: add "-- needs 0001_first"',
  ])
  expectNone(lintMigrations({ '0001_first': FIRST, '0002_second': '' }, {}))
})

test('no two migrations have the same number', () => {
  const numbers = Object.keys(migrations).map((name) => name.slice(0, 4))
  expectNone(numbers.filter((number, at) => numbers.indexOf(number) !== at))
})

test('the migrations of the service keep the rules', () => {
  expect(Object.keys(migrations).length).toBeGreaterThan(1)
  expectNone(lintMigrations(migrations, released))
})

test('a released migration is not edited, and from 1.0 each release lists its migrations', () => {
  const list = findUnlisted('1.0.0', { '0001_first': FIRST }, {})
  expect(findUnlisted('1.0.0', { '0001_first': FIRST }, list)).toEqual({})
  expect(findUnlisted('1.1.0', { '0001_first': FIRST, '0002_second': '' }, list)).toEqual({
    '1.1.0': { '0002_second': expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expectNone(findEdited({ '0001_first': FIRST }, list))
  expect(findEdited({ '0001_first': `${FIRST}\n` }, list)).toEqual([
    '0001_first is part of release 1.0.0: restore its text, and write a new migration instead',
  ])
  expect(findEdited({}, list)).toHaveLength(1)

  expectNone(findEdited(migrations, released))
  expect(findUnlisted(version, migrations, released), 'add this to migrations/released.json').toEqual({})
})
