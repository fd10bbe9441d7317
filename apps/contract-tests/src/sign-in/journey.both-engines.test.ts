import { sql } from 'kysely'
import * as openid from 'openid-client'
import { expect, test } from 'vitest'
import { approve, arrive, relyingParty } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

test('a partner signs a citizen in with openid-client: only the shared items come back', async () => {
  const [{ partner, config, begin }, citizen] = [await relyingParty(service), await service.citizen()]
  const { url, checks } = await begin()
  const visit = await arrive(service.url, url)
  expect(visit.page.text).toContain(`Partner`)
  const request = await approve(citizen, await visit.scan(), (items) =>
    items.filter((item) => item !== 'email'),
  )
  expect(request).toMatchObject({ state: 'APPROVED', device: 'other', return_url: null })
  expect(visit.page.text).toContain(`<strong>${request.comparison}</strong>`)
  expect(await visit.state()).toMatchObject({ next: 'continue' })

  const tokens = await openid.authorizationCodeGrant(config, await visit.goOn(), checks)
  const { sub, given_name, family_name, ...others } = tokens.claims()!
  expect({ given_name, family_name }).toEqual({
    given_name: citizen.profile.first_name,
    family_name: citizen.profile.last_name,
  })
  expect(Object.keys(others).toSorted()).toEqual(
    ['at_hash', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'nonce', 'sid']
      .filter((name) => name in others)
      .toSorted(),
  )
  expect(others['auth_time']).toBeTypeOf('number')
  expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toEqual({
    sub,
    given_name,
    family_name,
  })

  const { rows } = await sql<{ model: string; seconds: number }>`
    select model, max(extract(epoch from expires_at - clock_now()))::float8 as seconds from oidc_state
     where model <> 'Interaction' group by model order by model`.execute(service.db)
  expect(rows.map(({ model, seconds }) => [model, Math.ceil(seconds / 10) * 10])).toEqual([
    ['AccessToken', 600],
    ['AuthorizationCode', 60],
    ['Grant', 1_200],
    ['Session', 3_600],
  ])

  const [disclosure] = await citizen.disclosures()
  expect(disclosure).toMatchObject({ way: 'SSO', fields: ['given_name', 'family_name'] })
  expect(disclosure!.partner.partner_code).toBe(partner.code)
})
