import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { changed } from '../kit/invalid-credentials.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const { uniqid } = await service.citizen()

const TOKENS = {
  listAuthorizations: await service.tokens.citizen(uniqid, '1h ago'),
  listPartners: await service.tokens.operator(undefined, '1h ago'),
}

describe.each([
  ['listAuthorizations', 'listPartners'],
  ['listPartners', 'listAuthorizations'],
] as const)('%s', (id, other) => {
  test('401: token_invalid for an expired token with another signature, or for another API', async () => {
    const [head, payload, signature] = TOKENS[id].split('.')
    for (const token of [`${head}.${payload}.${changed(signature!)}`, TOKENS[other]]) {
      const response = await service.send(id, { headers: { Authorization: `Bearer ${token}` } })
      expect(await errorBody(response)).toMatchObject({ status: 401, error: 'token_invalid' })
    }
  })
})
