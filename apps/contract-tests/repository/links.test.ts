import { expect, test } from 'vitest'
import { documents, partOf } from '../src/contract-check/documents.ts'

type Link = { operationId: string; parameters?: Record<string, string> }
type Response = {
  links?: Record<string, Link>
  content: Record<string, { examples: Record<string, { $ref?: string; value?: unknown }> }>
}
type Operation = { operationId: string; parameters?: object[]; responses: Record<string, Response> }

const operations = Object.values(documents.partner.paths).flatMap((item) =>
  Object.values(item),
) as unknown as Operation[]
const links = operations.flatMap(({ operationId, responses }) =>
  Object.entries(responses).flatMap(([status, response]) =>
    Object.values(response.links ?? {}).map((link) => ({ from: operationId, status, response, ...link })),
  ),
)

const partIn = (value: object, ...keys: string[]) =>
  partOf({ document: 'partner', pointer: '', value: value as Record<string, unknown> }, ...keys)

test('both journeys can be followed from link to link', () => {
  expect(links.map(({ from, operationId }) => `${from} > ${operationId}`)).toEqual([
    'requestAuthorization > inquire',
    'requestAuthorization > cancelAuthorization',
    'inquire > inquire',
    'inquire > cancelAuthorization',
    'profileByQr > inquire',
    'generateToken > authenticate',
  ])
})

test('each link names an operation, its parameters, and a field that each example has', () => {
  for (const { operationId, parameters = {}, response } of links) {
    const target = operations.find((operation) => operation.operationId === operationId)
    for (const [name, expression] of Object.entries(parameters)) {
      const names = target?.parameters?.map(
        (_, index) => partIn(target, 'parameters', `${index}`)?.value['name'],
      )
      expect(names).toContain(name)
      const [, ...keys] = expression.replace('$response.body#', '').split('/')
      for (const example of Object.keys(response.content['application/json']!.examples)) {
        const path = ['content', 'application/json', 'examples', example, 'value', ...keys.slice(0, -1)]
        const part = partIn(response, ...path)
        expect(part?.value[keys.at(-1)!]).toMatch(/^\w+$/)
      }
    }
  }
})
