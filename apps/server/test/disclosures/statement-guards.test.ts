// The statements on disclosures and disputes find and change those of the partner and the citizen that they
// name, and no others.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findDisclosure, listDisclosuresOf } from '../../src/disclosures/disclosure.sql.ts'
import { insertDispute, listAllDisputes, locateDispute } from '../../src/disclosures/dispute.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { addCitizen, addPartner, type CitizenRow } from '../kit/rows.ts'

const { service } = await startServiceForFile()
const { db } = service

/** Adds an event of the audit. Returns the id of its request. */
async function addEvent(
  { id: citizenId }: { id: number },
  { id: partnerId }: { id: number },
  kind = 'profile.viewed',
  requestId: string = randomUUID(),
): Promise<string> {
  await sql`
    insert into audit_event (kind, partner_id, citizen_id, request_id, tracking_no)
    values (${kind}, ${partnerId}, ${citizenId}, ${requestId}, ${kind})`.execute(db)
  return requestId
}

const dispute = ({ uniqid_hmac }: CitizenRow, disclosureId: string, requestId: string = randomUUID()) =>
  insertDispute(db, [uniqid_hmac], disclosureId, requestId)

const readDisputes = async (...requestIds: string[]) =>
  (
    await sql<{ request_id: string; disputed_at: Date }>`
      select * from dispute where request_id = any(${requestIds}) order by id`.execute(db)
  ).rows

const [own, other] = [await addCitizen(db), await addCitizen(db)]
const [partner, otherPartner] = [await addPartner(db), await addPartner(db)]

test('insertDispute disputes a disclosure of this citizen once, audited, and nothing else', async () => {
  const disclosure = await addEvent(own, partner)
  const foreign = await addEvent(other, partner)
  const accepted = await addEvent(own, partner, 'authorization.accepted')
  const requestId = randomUUID()
  for (const id of [disclosure, foreign, accepted, randomUUID(), disclosure])
    await dispute(own, id, requestId)
  expect(await readDisputes(disclosure, foreign, accepted)).toMatchObject([
    { request_id: disclosure, citizen_id: own.id, partner_id: partner.id },
  ])
  const { rows } = await sql`
    select kind, partner_id, citizen_id from audit_event where request_id = ${requestId}`.execute(db)
  expect(rows).toEqual([{ kind: 'disclosure.disputed', partner_id: partner.id, citizen_id: own.id }])
})

test('findDisclosure and listDisclosuresOf show a dispute of this disclosure only', async () => {
  const citizen = await addCitizen(db)
  const [disputed, undisputed] = [await addEvent(citizen, partner), await addEvent(citizen, otherPartner)]
  await addEvent(citizen, partner, 'authorization.accepted')
  const foreign = await addEvent(other, partner)
  await dispute(citizen, disputed)
  await dispute(other, foreign)
  const find = (id: string) => findDisclosure(db, [citizen.uniqid_hmac], id)
  const rows = [
    { request_id: undisputed, partner_code: otherPartner.partner_code, disputed_at: null },
    { request_id: disputed, partner_code: partner.partner_code, disputed_at: expect.any(Date) },
  ]
  expect(await find(undisputed)).toMatchObject(rows[0]!)
  expect(await find(disputed)).toMatchObject(rows[1]!)
  expect(await find(foreign)).toBeUndefined()
  const listed = await listDisclosuresOf(db, [citizen.uniqid_hmac], undefined, 100)
  expect(listed).toMatchObject(rows)
  expect(await listDisclosuresOf(db, [citizen.uniqid_hmac], listed[0]!.id, 100)).toMatchObject([rows[1]])
})

test('listAllDisputes shows the disclosure of this citizen, not another event of the request', async () => {
  const requestId = randomUUID()
  const { id, partner_code } = await addPartner(db)
  // A scan in either direction meets another event first.
  const addOthers = async () => {
    await addEvent(own, { id }, 'code.redeemed', requestId)
    await addEvent(other, { id }, 'profile.disclosed', requestId)
  }
  await addOthers()
  await addEvent(own, { id }, 'profile.viewed', requestId)
  await addOthers()
  await dispute(own, requestId)
  const page = { partnerCode: partner_code, after: undefined, limit: 10 }
  expect(await listAllDisputes(db, page)).toMatchObject([
    { request_id: requestId, kind: 'profile.viewed', tracking_no: 'profile.viewed', partner_code },
  ])
})

test('listAllDisputes goes on after a dispute, newest first', async () => {
  const each = await addPartner(db)
  const ids = [await addEvent(own, each), await addEvent(other, each), await addEvent(own, each)] as const
  await dispute(own, ids[0])
  await dispute(other, ids[1])
  await dispute(own, ids[2])
  const list = async (after?: string) => {
    const position = after && (await locateDispute(db, after))
    const page = { partnerCode: each.partner_code, after: position || undefined, limit: 2 }
    return (await listAllDisputes(db, page)).map(({ request_id }) => request_id)
  }
  expect(await list()).toEqual([ids[2], ids[1]])
  expect(await list(ids[1])).toEqual([ids[0]])
  expect(await list(ids[0])).toEqual([])
})
