import type { OperationId } from '@tiwala/contract'
import fc from 'fast-check'
import { bodySchemaOf, type Part, parametersOf, partOf, validatorOf } from '../contract-check/documents.ts'
import type { RequestParts } from '../kit/valid-requests.ts'
import { conforming } from './schema-arbitrary.ts'

/** The parts of a request besides its credentials. */
export type Input = Pick<RequestParts, 'path' | 'query' | 'fields'>

const nameOf = ({ value }: Part) => String(value['name'])

/** Requests that conform to the document. Some have the path of the valid request, and find a row. */
export function conformingInput(id: OperationId, valid: RequestParts): fc.Arbitrary<Input> {
  // The service refuses each cursor that it has not issued.
  const at = (place: string) =>
    parametersOf(id).filter((each) => each.value['in'] === place && nameOf(each) !== 'cursor')
  const texts = (parameters: Part[]) =>
    fc.record(
      Object.fromEntries(
        parameters.map((each) => [nameOf(each), conforming(partOf(each, 'schema')!).map(String)]),
      ),
      {
        requiredKeys: parameters.filter(({ value }) => value['required']).map(nameOf),
        noNullPrototype: true,
      },
    ) as fc.Arbitrary<Record<string, string>>
  const body = bodySchemaOf(id, 'application/json')
  return fc.record({
    path: fc.oneof(fc.constant(valid.path ?? {}), texts(at('path'))),
    query: texts(at('query')).map((query) => new URLSearchParams(query).toString()),
    ...(body && { fields: conforming(body) as fc.Arbitrary<Record<string, unknown>> }),
  })
}

/** JSON bodies that the document refuses: a conforming one with another value, or any JSON. */
export function invalidBody(body: Part): fc.Arbitrary<unknown> {
  const validate = validatorOf(body)
  const replaced = fc.tuple(conforming(body), fc.nat(), fc.jsonValue()).map(([object, index, value]) => {
    const names = Object.keys(object as object)
    return { ...(object as object), [names[index % names.length] ?? 'unknown']: value }
  })
  return fc.oneof(replaced, fc.jsonValue()).filter((value) => !validate(value))
}
