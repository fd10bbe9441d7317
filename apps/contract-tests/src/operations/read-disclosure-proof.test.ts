import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isValidProof } from '../kit/audit-verifier.ts'
import { untilSealed } from '../kit/audit.ts'
import { comparable } from '../kit/error-body.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

/** A partner, a citizen and a disclosure. */
async function disclosed() {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const { record, requestId } = await partner.profiles.profileByQr(await citizen.showQr('share'))
  return { partner, citizen, trackingNo: record.tracking_no, id: requestId }
}

describe('readDisclosureProof', () => {
  test('200: every disclosure has a proof that is verifiable without other data', async () => {
    const { partner, citizen, trackingNo, id } = await disclosed()
    await partner.profiles.inquire(trackingNo)
    await partner.sso.signIn(await citizen.exchangeCode(partner.code))
    await untilSealed(service.operator)
    const disclosures = await citizen.disclosures()
    const proofs = await Promise.all(
      disclosures.map(
        async (each) => (await citizen.app('readDisclosureProof', { path: { disclosure_id: each.id } })).body,
      ),
    )
    expect(proofs.map(isValidProof)).toEqual([true, true, true])
    const first = proofs.find(({ disclosure_id }) => disclosure_id === id)!
    expect(JSON.parse(first.leaf)).toEqual({
      actor: null,
      detail: null,
      ids_hash: expect.any(String),
      kind: 'profile.viewed',
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      partner_code: partner.code,
      request_id: id,
      tracking_no: trackingNo,
    })
  })

  test('200: a proof with any change is invalid', async () => {
    const { citizen, id } = await disclosed()
    await disclosed()
    await untilSealed(service.operator)
    const { body: proof } = await citizen.app('readDisclosureProof', { path: { disclosure_id: id } })
    const { checkpoint, key } = proof
    expect(isValidProof(proof)).toBe(true)
    const changed = [
      { ...proof, leaf: proof.leaf.replace('profile.viewed', 'profile.hidden') },
      { ...proof, position: proof.position + 1 },
      { ...proof, path: [...proof.path, checkpoint.root] },
      { ...proof, checkpoint: { ...checkpoint, sealed_at: '2020-01-01T00:00:00.000Z' } },
      {
        ...proof,
        checkpoint: {
          ...checkpoint,
          signed: checkpoint.signed.replace(checkpoint.sealed_at, '2020-01-01T00:00:00.000Z'),
        },
      },
      { ...proof, key: { ...key, x: Buffer.alloc(32, 1).toString('base64url') } },
    ]
    expect(changed.map(isValidProof)).toEqual(changed.map(() => false))
  })

  test('503: a disclosure that is not sealed yet, with Retry-After; 200: once it is sealed', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const prove = (disclosure_id: string) => citizen.app('readDisclosureProof', { path: { disclosure_id } })
    const id = await whileSealingFails(async () => {
      const { requestId } = await partner.profiles.profileByQr(await citizen.showQr('share'))
      const { code, retryAfterSeconds } = await refusal(prove(requestId))
      expect([code, retryAfterSeconds]).toEqual(['unavailable', 1])
      return requestId
    })
    await untilSealed(service.operator)
    expect(isValidProof((await prove(id)).body)).toBe(true)
  })

  test('429: more than 4 proofs of a citizen at once', async () => {
    const { citizen, id } = await disclosed()
    await untilSealed(service.operator)
    const headers = { Authorization: `Bearer ${citizen.token}` }
    const holder = await service.db.startTransaction().execute()
    await sql`lock table audit_leaf in access exclusive mode`.execute(holder)
    const requests = Array.from({ length: 5 }, () =>
      service.send('readDisclosureProof', { headers, path: { disclosure_id: id } }),
    )
    const first = await Promise.race(requests)
    await holder.rollback().execute()
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '1'])
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(4)
  })

  test("404: another citizen's, an unknown and no disclosure have the same response", async () => {
    const { partner, id } = await disclosed()
    const otherCitizen = await service.citizen()
    const { record } = await partner.profiles.requestAuthorization(await otherCitizen.showQr())
    const acceptance = (await otherCitizen.accept(record.tracking_no)).headers.get('x-request-id')!
    const headers = { Authorization: `Bearer ${otherCitizen.token}` }
    const answers = await Promise.all(
      [id, `req_${'0'.repeat(22)}`, acceptance, 'unknown'].map(async (disclosure_id) =>
        comparable(await service.send('readDisclosureProof', { headers, path: { disclosure_id } })),
      ),
    )
    expect(JSON.parse(answers[0]!.body)).toMatchObject({ status: 404, error: 'not_found' })
    expect(answers).toEqual(answers.map(() => answers[0]))
  })
})

/** Runs `act` while sealing fails. */
async function whileSealingFails<T>(act: () => Promise<T>): Promise<T> {
  await sql`
    create trigger held_off before insert on audit_checkpoint
    for each statement execute function refuse_change()`.execute(service.db)
  return act().finally(() => sql`drop trigger held_off on audit_checkpoint`.execute(service.db))
}
