import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { INVALID_BODIES, typeHeader } from '../kit/invalid-bodies.ts'
import { prepareRequest } from '../kit/prepared-request.ts'
import { sendRaw } from '../kit/send-raw.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const MALFORMED = { status: 400, error: 'malformed_request' }

describe.each(['requestAuthorization', 'generateToken', 'authenticate'] as const)('%s', (id) => {
  test.each(INVALID_BODIES)('$status: $what; nothing is used', async (bad) => {
    const request = await prepareRequest(service, id)
    const headers = { ...request.headers, ...typeHeader(bad) }
    const response = await sendRaw(service.url, id, {
      headers,
      body: bad.body(request.fields ?? { note: 'x' }),
    })
    expect(await errorBody(response)).toMatchObject({ status: bad.status, error: bad.error })
    expect(await request.stillWorks()).toBe(200)
  })
})

describe.each([
  { id: 'requestAuthorization', headers: ['X-Secret-Code', 'X-Secret-Token'] },
  { id: 'inquire', headers: ['X-Secret-Code', 'X-Secret-Token'] },
  { id: 'profileByQr', headers: ['X-Secret-Code', 'X-Secret-Token'] },
  { id: 'authenticate', headers: ['Authorization'] },
] as const)('$id', ({ id, headers }) => {
  test.each(headers)('400: %s sent twice with the same value; nothing is used', async (name) => {
    const request = await prepareRequest(service, id)
    const value = request.headers[name]!
    const body = request.fields ? { body: [new URLSearchParams(request.fields).toString()] } : {}
    const type = request.fields ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}
    const query = request.query ? { query: request.query } : {}
    const response = await sendRaw(service.url, id, {
      ...query,
      ...body,
      headers: { ...type, ...request.headers, [name]: [value, value] },
    })
    expect(await errorBody(response)).toMatchObject({
      ...MALFORMED,
      message: `The header ${name.toLowerCase()} was given more than once`,
    })
    expect(await request.stillWorks()).toBe(200)
  })
})

describe.each(['inquire', 'profileByQr'] as const)('%s', (id) => {
  test('400: a parameter sent twice with the same value; nothing is used', async () => {
    const request = await prepareRequest(service, id)
    expect(await errorBody(await request.send({ query: `${request.query}&${request.query}` }))).toMatchObject(
      MALFORMED,
    )
    expect(await request.stillWorks()).toBe(200)
  })
})

describe.each(['requestAuthorization', 'generateToken'] as const)('%s', (id) => {
  test('422: an unknown field; nothing is used', async () => {
    const request = await prepareRequest(service, id)
    const refused = await errorBody(await request.send({ fields: { ...request.fields, verbose: '1' } }))
    expect(refused).toMatchObject({ status: 422, error: 'validation_failed' })
    expect(Object.keys(refused.errors!)).toEqual(['verbose'])
    expect(await request.stillWorks()).toBe(200)
  })

  test('422: a request without a body', async () => {
    const { headers } = await prepareRequest(service, id)
    expect(await errorBody(await service.send(id, { headers }))).toMatchObject({
      status: 422,
      errors: { body: [expect.any(String)] },
    })
  })
})

describe('generateToken', () => {
  test('422: the response does not repeat JSON that was sent as a form', async () => {
    const request = await prepareRequest(service, 'generateToken')
    const body = JSON.stringify(request.fields)
    const answer = await service.send('generateToken', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    })
    const text = await answer.text()
    expect(answer.status).toBe(422)
    expect(text).toContain('Content-Type: application/json')
    for (const secret of [request.fields!['partner_secret']!, request.fields!['exchange_code']!])
      expect(text).not.toContain(secret)
  })
})
