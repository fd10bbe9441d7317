// The option `fetch` takes the implementation of another package, which partners need for a proxy.
import { createPartnerClient, createSsoClient } from '@tiwala/client'
import { fetch as undiciFetch } from 'undici'
import { expect, test } from 'vitest'
import { respond, startPeerForFile } from '../kit/scripted-peer.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import { UNKNOWN_CREDENTIALS } from '../kit/unknown-credentials.ts'

const service = await startServiceForFile()
const peer = await startPeerForFile()
const fetch = undiciFetch as unknown as (request: Request) => Promise<Response>

test('200: the fetch of undici sends method, headers, query and body', async () => {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const { secret_code, secret_token, partner_code, partner_secret } = partner.credentials
  const profiles = createPartnerClient({
    baseUrl: service.url,
    secretCode: secret_code,
    secretToken: secret_token,
    fetch,
  })
  const { record } = await profiles.requestAuthorization(await citizen.showQr())
  expect((await profiles.inquire(record.tracking_no)).state).toBe('PENDING')
  const sso = createSsoClient({
    authUrl: service.url,
    partnerCode: partner_code,
    partnerSecret: partner_secret,
    fetch,
  })
  const { uniqid } = await sso.signIn(await citizen.exchangeCode(partner_code))
  expect(uniqid).toBe(citizen.uniqid)
})

test('the fetch of undici follows no redirect, so no other server gets secrets', async () => {
  peer.setScript(respond(307, '', { Location: `${peer.url}/elsewhere` }))
  const profiles = createPartnerClient({ baseUrl: peer.url, ...UNKNOWN_CREDENTIALS, fetch })
  expect((await refusal(profiles.inquire('x'))).message).toContain('A redirect is not followed')
  expect(peer.requests).toHaveLength(1)
})
