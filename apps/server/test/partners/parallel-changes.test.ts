// Whether a change needs a second person is decided by the partner as it is when the change is made, not as it was when
// the request came.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import type { Service } from '../../src/operation.ts'
import { changeSettings } from '../../src/partner-settings/change-settings.ts'
import { changePartner } from '../../src/partners/change-partner/change-partner.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { interleave } from '../kit/interleave.ts'
import { add, addPartner } from '../kit/rows.ts'

const { service } = await startServiceForFile({ TIWALA_SECOND_PERSON: 'settings, scope' })
const { db, config } = service
const AT_COMMIT = { name: 'the first commits' }

const within = (tx: Database) => ({ db: tx, config, partnerCache: { invalidate() {} } }) as unknown as Service
const set = (id: number, columns: string) => (tx: Database) =>
  sql`update partner set ${sql.raw(columns)} where id = ${id}`.execute(tx)

test('202: a scope that another administrator withdraws meanwhile is a new one', async () => {
  const { id, partner_code } = await addPartner(db)
  const request = {
    caller: { subject: 'admin' },
    path: { partner_code },
    query: { reason: 'Ticket 4711' },
    body: { scopes: ['PROFILE_INQUIRE', 'PROFILE_VIEW'] },
    header: () => undefined,
    requestId: 'req_1',
  } as never
  const [, { status }] = await interleave(db, AT_COMMIT, set(id, `scopes = '{PROFILE_VIEW}'`), (tx) =>
    changePartner(within(tx), request),
  )
  expect(status).toBe(202)
})

test('200: an allow list that another member narrows meanwhile is widened by a second person only', async () => {
  const { id: partnerId, partner_code: partnerCode } = await addPartner(db)
  const memberId = 'mbr_1'
  await add(db, 'member', {
    member_id: memberId,
    partner_id: partnerId,
    email: 'ana@hotel.example',
    role: 'admin',
  })
  const request = {
    caller: { memberId, partnerId, partnerCode },
    query: {},
    body: { ip_allow_list: ['203.0.113.0/24'] },
    header: () => undefined,
    requestId: 'req_2',
  } as never
  const [, { body }] = await interleave(
    db,
    AT_COMMIT,
    set(partnerId, `ip_allow_list = '{203.0.113.7}'`),
    (tx) => changeSettings(within(tx), request),
  )
  expect([body.ip_allow_list, body.approvals.map(({ status }) => status)]).toEqual([
    ['203.0.113.7'],
    ['PENDING'],
  ])
})
