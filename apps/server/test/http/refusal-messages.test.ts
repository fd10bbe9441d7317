// What a refusal says when the input itself cannot be read or stored.
import { expect, test } from 'vitest'
import { locate, startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
const messageOf = async (response: Response) => ((await response.json()) as { message: string }).message

test('400: a NUL character', async () => {
  expect(await messageOf(await api.inquire('a\0b'))).toBe('A value contains the character NUL')
})

test('400: a path that cannot be decoded', async () => {
  const path = locate('readAuthorization').path.replace(/\{.*?\}/, '%E0')
  const response = await fetch(`${service.url}${path}`, { headers: api.asCitizen })
  expect(await messageOf(response)).toBe('The path cannot be read')
})
