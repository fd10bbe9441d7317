// Each PATCH operation of the documents reads a JSON Merge Patch (RFC 7396), and no other operation does.
import { locate, OPERATION_IDS } from '@tiwala/kit/operations'
import { expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { validRequest } from '../kit/valid-requests.ts'

const service = await startServiceForFile()

async function sendAs(id: (typeof OPERATION_IDS)[number], type: string): Promise<Response> {
  const actors = { ...service, partner: await service.partner(), citizen: await service.citizen() }
  const { headers, path, fields } = await validRequest(id, actors)
  return service.send(id, {
    ...(path && { path }),
    headers: { ...headers, 'Content-Type': type },
    body: JSON.stringify(fields),
  })
}

const idsWith = (method: string) => OPERATION_IDS.filter((id) => locate(id).method.toLowerCase() === method)

test.each(idsWith('patch'))('200: %s', async (id) => {
  for (const type of ['application/merge-patch+json', 'Application/Merge-Patch+JSON; charset=utf-8'])
    expect((await sendAs(id, type)).status).toBe(200)
})

test.each(idsWith('put'))('415: %s replaces as a whole', async (id) => {
  expect(await errorBody(await sendAs(id, 'application/merge-patch+json'))).toMatchObject({
    status: 415,
    error: 'unsupported_media_type',
  })
})
