import { runInNewContext } from 'node:vm'
import collection from '@tiwala/contract/partner-postman.json' with { type: 'json' }
import { expect, test } from 'vitest'

test.each([
  ['without a body', '', {}],
  ['with a record', '{"data":{"tracking_no":"1"}}', { tracking_no: '1' }],
  ['with a token', '{"access_token":"t"}', { access_token: 't' }],
])('a response %s fills the variables of the next request', (_title, body, variables) => {
  const filled: Record<string, string> = {}
  const response = { text: () => body, json: () => JSON.parse(body) as unknown }
  const set = (name: string, value: string) => {
    filled[name] = value
  }
  const [event] = collection.event
  runInNewContext(event!.script.exec.join('\n'), { pm: { response, collectionVariables: { set } } })
  expect(filled).toEqual(variables)
})
