// The independent verification of an audit with one event.
import { generateKeyPairSync, sign } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import { expect, test } from 'vitest'
import type { AuditEntry } from '../src/audit-range.ts'
import { merkleRoot } from '../src/merkle-tree.ts'
import { verifyEntries } from '../src/verify-entries.ts'

type AuditKey = Schemas['AuditKey']

const FIELDS = {
  kind: 'partner.suspended',
  partner_code: 'PARTNER',
  tracking_no: 'TRACKING',
  request_id: 'req_1',
  actor: 'administrator',
  detail: 'detail',
  occurred_at: '2026-01-01T00:00:00.000Z',
}

function mintKey(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' } as AuditKey
  return { key, privateKey }
}
const { key, privateKey } = mintKey('own')

/** An export of the audit, whose event and checkpoint were edited. */
async function* exportWith(edited: object, ofCheckpoint: object = {}): AsyncGenerator<AuditEntry> {
  const leaf = JSON.stringify({ ...FIELDS, ids_hash: 'hash' })
  const statement = {
    checkpoint: 1,
    first_position: 1,
    last_position: 1,
    root: merkleRoot([leaf]),
    sealed_at: FIELDS.occurred_at,
    latest_event_at: FIELDS.occurred_at,
    previous_hash: null,
    kid: key.kid,
  }
  const signed = JSON.stringify(statement)
  const signature = sign(null, Buffer.from(signed), privateKey).toString('base64url')
  const seal = { checkpoint: 1, position: 0, leaf }
  yield* [
    { key },
    { checkpoint: { ...statement, signed, signature, ...ofCheckpoint } },
    { event: { id: 1, ...FIELDS, seal, ...edited } },
  ] as unknown as AuditEntry[]
}

const faultOf = async (edited: object, keys?: AuditKey[], ofCheckpoint?: object) =>
  (await verifyEntries(exportWith(edited, ofCheckpoint), { keys }, () => {})).first_fault?.what ?? null

test('control: an unchanged export has no fault, also with an own copy of the key', async () => {
  expect([await faultOf({}), await faultOf({}, [key])]).toEqual([null, null])
})

test.each(Object.keys(FIELDS))('event_altered: %s was edited', async (name) => {
  const value = name === 'occurred_at' ? '2026-01-02T00:00:00.000Z' : 'edited'
  expect(await faultOf({ [name]: value })).toBe('event_altered')
})

test('checkpoint_altered: event, leaf and root were edited, and the signed text was not', async () => {
  const event = { ...FIELDS, kind: 'partner.resumed' }
  const leaf = JSON.stringify({ ...event, ids_hash: 'hash' })
  const seal = { checkpoint: 1, position: 0, leaf }
  expect(await faultOf({ ...event, seal }, [key], { root: merkleRoot([leaf]) })).toBe('checkpoint_altered')
})

test.each([{ sealed_at: '2026-01-02T00:00:00.000Z' }, { latest_event_at: null }, { further: 1 }])(
  'checkpoint_altered: the signed text has no %j',
  async (edited) => expect(await faultOf({}, [key], edited)).toBe('checkpoint_altered'),
)

test('key_unknown: with an own copy of the keys, those of the export do not count', async () => {
  expect(await faultOf({}, [mintKey('other').key])).toBe('key_unknown')
})
