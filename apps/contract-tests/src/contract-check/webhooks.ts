import type { IncomingHttpHeaders } from 'node:http'
import { errorsOf, partOf, validatorsOf, wholeDocument } from './documents.ts'
import { fact, type Findings } from './facts.ts'
import { headerRule, headerViolations } from './headers.ts'

/** What Node adds to a request about the connection and the framing of the message. */
const TRANSPORT = new Set(['connection', 'content-length', 'host', 'content-type', 'user-agent'])

/** Checks an event as the server of a partner receives it. */
export function checkWebhook(headers: IncomingHttpHeaders, body: string): Findings {
  const { type } = JSON.parse(body) as { type: string }
  const post = partOf(wholeDocument('partner'), 'webhooks', type, 'post')
  if (!post) return { violations: [`webhook ${type}: the type is not documented`], facts: [] }
  const parameters = partOf(post, 'parameters')!
  const rules = Object.keys(parameters.value).map((index) => {
    const parameter = partOf(parameters, index)!
    return headerRule(String(parameter.value['name']), parameter)
  })
  const received = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const { violations } = headerViolations(
    new Map(rules.map((rule) => [rule.name.toLowerCase(), rule])),
    received,
    (name) => TRANSPORT.has(name),
  )
  const contentType = headers['content-type']
  if (contentType !== 'application/json') violations.push(`the content type is ${contentType}`)
  const schema = partOf(post, 'requestBody', 'content', 'application/json', 'schema')!
  const refusing = validatorsOf(schema, '#/components/schemas/Event').find((each) => !each(JSON.parse(body)))
  if (refusing) violations.push(`${errorsOf(refusing)}; the body is ${body}`)
  return {
    violations: violations.map((what) => `webhook ${type}: ${what}`),
    facts: [fact.webhook(type)],
  }
}
