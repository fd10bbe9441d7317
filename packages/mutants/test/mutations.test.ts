import { describe, expect, test } from 'vitest'
import { mutationsOf } from '../src/mutations.ts'

const namesOf = (text: string) => mutationsOf(text).map(({ name }) => name)
const find = (text: string, name: string) => mutationsOf(text).find((each) => each.name === name)!

describe('the mutants of a statement', () => {
  test('lack one condition each, and keep the parameters that are left', () => {
    const text = 'select 1 from code where mac = $1 and partner_id = $2 and scope = $3'
    expect(namesOf(text)).toEqual(['without "mac = $1"', 'without "partner_id = $2"', 'without "scope = $3"'])
    const { text: mutant, parameters } = find(text, 'without "partner_id = $2"')
    expect([mutant, parameters]).toEqual(['SELECT 1 FROM code WHERE mac = $1 AND scope = $2', [1, 3]])
  })

  test('lack the only condition of a where or an on, or a column of using', () => {
    expect(find('delete from code where id = $1', 'without "id = $1"').text).toBe('DELETE FROM code')
    expect(find('select from a join b on a.id = b.id', 'without "a.id = b.id"').text).toBe(
      'SELECT FROM a JOIN b ON true',
    )
    expect(namesOf('select from a join b using (mac, partner_id)')).toEqual([
      'without "using (mac)"',
      'without "using (partner_id)"',
    ])
  })

  test('lack a row lock or an advisory lock', () => {
    const rowLocks = 'select from code x join citizen c on true for update of x for share of c'
    expect(find(rowLocks, 'without the lock for update x').text).toBe(
      'SELECT FROM code AS x JOIN citizen AS c ON true FOR SHARE OF c',
    )
    expect(find('select pg_advisory_xact_lock($1)', 'without pg_advisory_xact_lock').text).toBe('SELECT 1')
  })

  test('move a bound by one', () => {
    expect(find('select 1 where now() < $1', '"now() < $1" with <=').text).toBe('SELECT 1 WHERE now() <= $1')
  })

  test('read the time before the lock', () => {
    const text = 'update code set used = true where clock_now() < expires_at'
    expect(find(text, 'with the time before the lock').text).toContain('statement_timestamp()')
    expect(namesOf('select 1 where clock_now() < $1')).not.toContain('with the time before the lock')
  })

  test('count the rows of the audit and of events without writing them', () => {
    const text = `with used as (delete from code where id = $1 returning id),
      audit as (insert into audit_event (kind, code) select $2, id from used where id > 0 returning 1)
      select count(*) from audit`
    const { text: mutant, parameters } = find(text, 'audit: without the row of audit_event')
    expect(mutant).toContain('audit AS (SELECT 1 FROM used WHERE id > 0)')
    expect(parameters).toEqual([1])
  })

  test('return a constant instead of a condition', () => {
    expect(find('select used_at is null as is_usable', 'true instead of "used_at IS NULL"').text).toBe(
      'SELECT true AS is_usable',
    )
  })

  test('are written as PostgreSQL reads them', () => {
    const text = `select case when not a and (b or c) then '1 day'::interval end, x -> 'y'
      from t left join u using (id) where (a, b) < ($1::bigint, $2) order by 1 desc
     limit 5 for update skip locked`
    expect(mutationsOf(text).filter(({ isFaithful }) => !isFaithful)).toEqual([])
  })
})
