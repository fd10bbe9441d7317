// A sign-in passes through two processes, and what ends it in one ends it in the other with the next request.
import { startReadyProcess } from '@tiwala/server/testing-process'
import * as openid from 'openid-client'
import { afterAll, expect, test } from 'vitest'
import { settingsBeside } from '../../stress/process-beside.ts'
import { approve, arrive, register, registration, relyingParty } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})
const other = await startReadyProcess({ ...(await settingsBeside(service)), TIWALA_PUBLIC_URL: service.url })
afterAll(() => other[Symbol.asyncDispose]())

const toOther = (url: string | URL) => String(url).replace(service.url, other.url)

/** A sign-in that began and was approved here. Everything of the partner and the browser goes on in the other process. */
async function approved() {
  const [party, citizen] = [await relyingParty(service), await service.citizen()]
  const { url, checks } = await party.begin({}, { isPushed: true })
  const visit = await arrive(service.url, url)
  await approve(citizen, await visit.scan())
  let location = `${visit.base}/continue`
  while (location.startsWith(service.url))
    location = (await visit.browser.request(toOther(location))).headers.get('location')!
  party.config[openid.customFetch] = (to, options) => fetch(toOther(to), options as RequestInit)
  const redeem = () => openid.authorizationCodeGrant(party.config, new URL(location), checks)
  const read = (token: string) => openid.fetchUserInfo(party.config, token, openid.skipSubjectCheck)
  return { ...party, citizen, redeem, read }
}

type Approved = Awaited<ReturnType<typeof approved>>

test('two processes: the browser, the code and userinfo of one sign-in', async () => {
  const { redeem, read, citizen } = await approved()
  const tokens = await redeem()
  expect(await read(tokens.access_token)).toMatchObject({ given_name: citizen.profile.first_name })
  await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant' })
  await expect(read(tokens.access_token)).rejects.toMatchObject({ status: 401 })
})

const path = ({ partner }: Approved) => ({ partner_code: partner.code })
const CHANGES: [what: string, change: (sign: Approved) => Promise<unknown>][] = [
  ['the partner is suspended', (sign) => service.operator('suspendPartner', { path: path(sign) })],
  ['the scope is withdrawn', ({ partner }) => partner.change({ scopes: ['PROFILE_VIEW'] })],
  [
    'the secret is revoked',
    async (sign) => {
      const { credentials } = (await service.operator('listCredentials', { path: path(sign) })).body
      const { id: credential_id } = credentials.find(({ kind }) => kind === 'partner_secret')!
      await service.operator('revokeCredential', { path: { ...path(sign), credential_id } })
    },
  ],
  [
    'an item is no longer granted',
    ({ partner }) => {
      const [purpose] = registration().purposes
      return register(service.operator, partner.code, { purposes: [{ ...purpose!, optional_items: [] }] })
    },
  ],
  ['the citizen freezes everything', ({ citizen }) => citizen.setPreferences({ frozen: true })],
  [
    'the citizen is erased',
    ({ citizen: { uniqid } }) => service.operator('eraseCitizen', { path: { uniqid } }),
  ],
]

test.each(CHANGES)('%s: the code and the access token end in the other process', async (_what, change) => {
  const [open, used] = [await approved(), await approved()]
  const tokens = await used.redeem()
  await used.read(tokens.access_token)
  for (const sign of [open, used]) await change(sign)
  await expect(open.redeem()).rejects.toMatchObject({
    error: expect.stringMatching(/^invalid_(grant|client)$/),
  })
  await expect(used.read(tokens.access_token)).rejects.toMatchObject({ status: 401 })
})
