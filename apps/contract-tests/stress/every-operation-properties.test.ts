// Every operation, with inputs that are derived from its document. `fetch` compares each response with the
// document, so an undocumented status, header, code or body fails. A failure prints a minimal input, a seed
// and a path: TIWALA_FUZZ_SEED and TIWALA_FUZZ_PATH repeat it.
import type { OperationId, Schemas } from '@tiwala/contract'
import { OPERATION_IDS } from '@tiwala/kit/operations'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodySchemaOf } from '../src/contract-check/documents.ts'
import { createBaseRequests } from '../src/fuzz/base-requests.ts'
import { conformingInput, type Input, invalidBody } from '../src/fuzz/conforming-input.ts'
import { runs } from '../src/fuzz/fuzz-seed.ts'
import { FUZZ_SETTINGS } from '../src/fuzz/fuzz-service.ts'
import { sendParts } from '../src/kit/send-parts.ts'
import { startServiceForFile } from '../src/kit/test-service.ts'
import type { RequestParts } from '../src/kit/valid-requests.ts'

const service = await startServiceForFile(FUZZ_SETTINGS)
const bases = await createBaseRequests(service)
const valid = new Map<OperationId, RequestParts>()
for (const id of OPERATION_IDS) valid.set(id, (await bases.take(id)).parts)

/** The status, and the code of a refusal. */
async function send(id: OperationId, parts: RequestParts & { raw?: string }) {
  const { status, text } = await sendParts(service, id, parts)
  const { error } = (status < 400 ? {} : JSON.parse(text)) as Partial<Schemas['Error']>
  return { status, error }
}

const withInput = (id: OperationId, input: Input): RequestParts => ({ ...valid.get(id)!, ...input })

/**
 * Operations with rules that no schema states, such as a partner code that is free, a URL that the service
 * may send to, and which fields a kind of change needs. An input that conforms to the schema may break them.
 */
const RULES_BEYOND_SCHEMAS = new Set<OperationId>([
  'issueQrCode',
  'approveSignIn',
  'setSignInRegistration',
  'decideGoingLiveReport',
  'replacePreferences',
  'createPartner',
  'changePartner',
  'setCallback',
  'testCallback',
  'upsertCitizen',
  'replayChange',
])

describe.concurrent.each(OPERATION_IDS)('%s', (id) => {
  test('no 5xx: inputs that conform to the document', async () => {
    const property = fc.asyncProperty(conformingInput(id, valid.get(id)!), async (input) => {
      const { status, error } = await send(id, withInput(id, input))
      expect(status).toBeLessThan(500)
      expect(error === 'validation_failed' && !RULES_BEYOND_SCHEMAS.has(id)).toBe(false)
    })
    await fc.assert(property, runs(40))
  })

  const OTHER_CREDENTIALS: Record<string, string>[] = [
    {},
    { Authorization: 'Bearer twa_unknown' },
    { Authorization: 'Bearer e30.e30.e30' },
    { 'X-Secret-Code': 'twc_00000000000000000000', 'X-Secret-Token': 'twt_unknown' },
  ]
  test('401: no inputs are accepted without credentials, or with wrong ones', async () => {
    const input = conformingInput(id, valid.get(id)!)
    const property = fc.asyncProperty(input, fc.constantFrom(...OTHER_CREDENTIALS), async (any, headers) => {
      const { status, error } = await send(id, { ...withInput(id, any), headers })
      expect(id === 'generateToken' ? error : status).toBe(id === 'generateToken' ? 'partner_invalid' : 401)
    })
    await fc.assert(property, runs(15))
  })
})

const WITH_BODY = OPERATION_IDS.filter((id) => bodySchemaOf(id, 'application/json'))
describe.concurrent.each(WITH_BODY)('%s', (id) => {
  test('400, 422: bodies that break the schema', async () => {
    // Not those of `valid`: `completeRestore` has ended their sessions.
    const { headers, path } = (await bases.take(id)).parts
    const property = fc.asyncProperty(invalidBody(bodySchemaOf(id, 'application/json')!), async (body) => {
      const raw = JSON.stringify(body)
      const typed = { ...headers, 'Content-Type': 'application/json' }
      const { status } = await send(id, { headers: typed, raw, ...(path && { path }) })
      expect([400, 422]).toContain(status)
    })
    await fc.assert(property, runs(40))
  })
})
