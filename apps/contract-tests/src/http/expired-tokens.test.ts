import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { changed } from '../kit/invalid-credentials.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const { uniqid } = await service.citizen()

describe.each([
  { id: 'listAuthorizations', issue: (lifetime: string) => service.tokens.citizen(uniqid, lifetime) },
  { id: 'listPartners', issue: (lifetime: string) => service.tokens.operator(undefined, lifetime) },
] as const)('$id', ({ id, issue }) => {
  const send = (token: string) => service.send(id, { headers: { Authorization: `Bearer ${token}` } })

  test('200: a token that expires in a minute', async () => {
    expect((await send(await issue('60s'))).status).toBe(200)
  })

  test.each(['1s ago', '1h ago'])('401: token_expired for a token that expired %s', async (lifetime) => {
    const refused = await send(await issue(lifetime))
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ])
    expect(await errorBody(refused)).toMatchObject({
      error: 'token_expired',
      message: 'The token has expired',
    })
  })

  test('401: token_invalid for an expired token with another signature, or for another API', async () => {
    const [head, payload, signature] = (await issue('1h ago')).split('.')
    const forged = `${head}.${payload}.${changed(signature!)}`
    const foreign =
      id === 'listPartners'
        ? await service.tokens.citizen(uniqid, '1h ago')
        : await service.tokens.operator(undefined, '1h ago')
    for (const token of [forged, foreign])
      expect(await errorBody(await send(token))).toMatchObject({ status: 401, error: 'token_invalid' })
  })
})
