// SECURITY section 3, in short; stress/fail-closed*.test.ts take out every handler, validator, key and table.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startService, type TestService } from '../src/testing.ts'
import { all, FOUR, NO_RETRIES, prepareCanary, present } from './disclosing-calls.ts'

let service: TestService
let canary: Awaited<ReturnType<typeof prepareCanary>>
beforeAll(async () => {
  service = await startService(inject('postgres'), NO_RETRIES)
  canary = await prepareCanary(service)
})
afterAll(() => service.close())

const run = (statement: string) => sql.raw(statement).execute(service.db)

const DRILLS = [
  {
    what: 'the audit takes nothing',
    spoil: 'alter table audit_event add constraint spoil check (false) not valid',
    mend: 'alter table audit_event drop constraint spoil',
  },
  { what: 'the citizens are gone', spoil: 'alter table citizen rename to gone', mend: 'alter table gone rename to citizen' },
  { what: 'the clock is gone', spoil: 'alter function clock_now() rename to gone', mend: 'alter function gone() rename to clock_now' },
]

describe('no disclosure, and nothing used up', () => {
  test.each(DRILLS)('500: $what', async ({ spoil, mend }) => {
    const prepared = await canary.prepare()
    await run(spoil)
    const spoilt = await present(canary.people, prepared).finally(() => run(mend))
    expect(spoilt).toEqual(all('refused'))
    expect(new Set(Object.values(spoilt).map(({ status }) => status))).toEqual(new Set([500]))
    expect(await present(canary.people, prepared)).toEqual(all('right'))
  })

  test('200: control: where nothing is spoilt, everything is given and recorded', async () => {
    const prepared = await canary.prepare()
    const [before] = await service.countRows('audit_event')
    expect(await present(canary.people, prepared)).toEqual(all('right'))
    expect(await service.countRows('audit_event')).toEqual([before! + FOUR.length])
  })
})
