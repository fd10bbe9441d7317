import { exampleProfile } from '@tiwala/kit/users'
import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const NDJSON = { 'Content-Type': 'application/x-ndjson' }

let count = 0
const newCitizen = (change: object = {}) => ({
  profile: { ...exampleProfile(`REFUSED-${++count}`), ...change },
  passport: null,
})

describe('importCitizens', () => {
  const send = async (body?: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) => {
    const init = {
      headers: { Authorization: `Bearer ${service.operatorToken}`, ...NDJSON, ...headers },
      duplex: 'half' as const,
    }
    return errorBody(await service.send('importCitizens', { ...init, ...(body !== undefined && { body }) }))
  }

  test('413: a body over 8 MiB, with and without Content-Length; nothing is written', async () => {
    const person = newCitizen()
    const body = `${JSON.stringify(person)}\n${' '.repeat(8 * 1024 * 1024)}`
    const [before] = await service.countRows('citizen')
    expect(await send(body)).toMatchObject({ status: 413, error: 'payload_too_large' })
    const stream = new Blob([body]).stream()
    expect(await send(stream)).toMatchObject({ status: 413, error: 'payload_too_large' })
    expect(await service.countRows('citizen')).toEqual([before])
  })

  test('200: a citizen of more than 16 KiB is rejected, as by upsertCitizen; white space does not count', async () => {
    const [large, padded] = [newCitizen({ address: 'a'.repeat(16_384) }), newCitizen()]
    const body = `${JSON.stringify(large)}\n{${' '.repeat(16_384)}${JSON.stringify(padded).slice(1)}`
    const { body: report } = await service.operator('importCitizens', { body })
    const errors = { body: ['must be at most 16 KiB of JSON'] }
    expect(report).toEqual({ created: 1, replaced: 0, rejected: 1, errors: [{ line: 1, errors }] })
  })

  test('400: not UTF-8; nothing is written', async () => {
    const latin1 = Buffer.from(JSON.stringify(newCitizen({ last_name: 'Peñaflor' })), 'latin1')
    expect(await send(latin1)).toMatchObject({ status: 400, error: 'malformed_request' })
  })

  test('422: a request without a body', async () => {
    expect(await send()).toMatchObject({ status: 422, error: 'validation_failed' })
  })

  test('415: JSON instead of NDJSON', async () => {
    const headers = { 'Content-Type': 'application/json' }
    expect(await send(JSON.stringify(newCitizen()), headers)).toMatchObject({
      status: 415,
      error: 'unsupported_media_type',
    })
  })
})
