import { expect, test } from 'vitest'
import { schemaMutations } from '../src/schema.ts'

const mutations = schemaMutations()
const find = (part: string) => mutations.find(({ name }) => name.includes(part))!

test('a unique key lacks a column', () => {
  expect(find('partner_id is not in unique (partner_id,tracking_no)')).toMatchObject({
    file: 'migrations/0001_foundation.sql',
    ddl: [
      'drop constraint if exists authorization_record_partner_id_tracking_no_key',
      'drop constraint if exists mutant_key',
      'add constraint mutant_key unique (tracking_no)',
    ]
      .map((change) => `alter table authorization_record ${change}`)
      .join('; '),
  })
})

test('a function lacks a condition, and keeps its variables', () => {
  const { ddl, uses } = find('wait_before_request: without "nth = most"')
  expect(ddl).toMatch(/^CREATE OR REPLACE FUNCTION wait_before_request/)
  expect(ddl).toMatch(/AS held into free_at;/)
  expect(uses.test('select wait_before_request($1, $2, $3, $4, $5)')).toBe(true)
})

test('a trigger is missing', () => {
  const { ddl, uses } = find('audit_event: without the trigger insert_only')
  expect(ddl).toBe('drop trigger if exists insert_only on audit_event')
  expect(uses.test('insert into audit_event (kind) values ($1)')).toBe(true)
})
