import type { OperationId } from '@tiwala/contract'
import { OPERATION_IDS } from '@tiwala/kit/operations'
import { documentedStatuses, type Part, partOf, responseOf, wholeDocument } from './documents.ts'
import { EVENT } from './event-stream.ts'
import { fact } from './facts.ts'

/** Everything that the documents promise, as the traffic shows it. */
export const documentedFacts = (): string[] => [
  ...OPERATION_IDS.flatMap((id) => documentedStatuses(id).flatMap((status) => factsOfResponse(id, status))),
  ...Object.keys(partOf(wholeDocument('partner'), 'webhooks')!.value).map(fact.webhook),
  ...enumOf(partOf(EVENT, 'properties', 'type')!).map(fact.streamEvent),
]

function factsOfResponse(id: OperationId, status: number): string[] {
  const response = responseOf(id, status)!
  const namesOf = (key: string) => Object.keys(partOf(response, key)?.value ?? {})
  return [
    fact.status(id, status),
    ...namesOf('content').map((type) => fact.mediaType(id, status, type)),
    ...namesOf('headers').map((name) => fact.header(id, status, name)),
    ...(status < 400 ? [] : errorCodes(response).map((code) => fact.code(id, status, code))),
  ]
}

/** The codes of a refusal: `allOf` narrows those of the schema `Error`. */
function errorCodes(response: Part): string[] {
  const schemas = partOf(response, 'content', 'application/json', 'schema', 'allOf')!
  const narrowed = Object.keys(schemas.value).map((index) => partOf(schemas, index, 'properties', 'error')!)
  return narrowed.map(enumOf).reduce((all, some) => all.filter((code) => some.includes(code)))
}

const enumOf = ({ value }: Part): string[] =>
  (value['enum'] as string[] | undefined) ?? [String(value['const'])]
