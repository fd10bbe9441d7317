import { expect, test } from 'vitest'
import { httpFile } from '../../../src/http/pages/http-file.ts'

test('a query value is encoded, and a variable is not', () => {
  const query = [
    { key: 'q', value: 'Ticket 47&11' },
    { key: 'cursor', value: '{{cursor}}' },
    { key: 'limit', value: '5', disabled: true },
  ]
  const request = { method: 'GET', url: { path: ['things'], query }, header: [], auth: null }
  const file = httpFile({
    info: { name: 'Example' },
    item: [{ item: [{ name: 'List', request }] }],
    variable: [],
  })
  expect(file).toContain('GET {{baseUrl}}/things?q=Ticket%2047%2611&cursor={{cursor}}')
})
