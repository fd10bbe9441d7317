// The sandbox page can provoke each error of the partner API, with requests that really get it.
import type { ErrorCode } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { partnerRoutes } from '@tiwala/contract/partner'
import { PROVOCATIONS, UNPROVOKED } from '@tiwala/sandbox/provocations'
import { createRawClient } from '@tiwala/sandbox/raw-client'
import { describe, expect, test } from 'vitest'
import { createSandbox } from '../kit/sandbox.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })
const own = await createSandbox(service.url)
const client = createRawClient({
  baseUrl: service.url,
  sandbox: own,
  citizenToken: own.manual.token,
  fetch: (request) => fetch(request),
  // The page uses a frame of another origin.
  sendFromOtherOrigin: (path, headers) =>
    fetch(service.url + path, { headers: { ...headers, Origin: 'https://other.example' } }),
})

describe('provoked errors', () => {
  test('each code that the partner API can answer is provoked, or is an error of the service itself', () => {
    const codes = Object.entries(catalogue).filter(
      ([code, { operations }]) =>
        operations.some((id) => Object.hasOwn(partnerRoutes, id)) ||
        // No operation has this code: every path can have it.
        code === 'method_not_allowed',
    )
    expect([...Object.keys(PROVOCATIONS), ...Object.keys(UNPROVOKED)].toSorted()).toEqual(
      codes.map(([code]) => code).toSorted(),
    )
    expect(Object.keys(UNPROVOKED).map((code) => catalogue[code as ErrorCode].status)).toEqual([500, 503])
  })

  test.each(Object.entries(PROVOCATIONS))('%s', async (code, provocation) => {
    const response = await provocation.run(client)
    expect([response.status, await response.json()]).toEqual([
      catalogue[code as ErrorCode].status,
      expect.objectContaining({ error: code }),
    ])
    if (provocation.changesPartner) await client.setCondition('normal')
    expect((await own.profiles.whoAmI()).name).toBe(own.partner.name)
  })
})
