// Derives the types of requests and responses from an operation, as openapi-typescript generates it.

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Ndjson<T> = T extends { content: { 'application/x-ndjson': infer Text } } ? Text : never
type Responses<Operation> = Operation extends { responses: infer R } ? R : never
type Parameters<Operation> = Operation extends { parameters: infer P } ? P : never
type Defined<T> = [NonNullable<T>] extends [never] ? Record<never, never> : NonNullable<T>

/** The body of a request. Form data has the same fields as JSON. An NDJSON body is a string. */
export type BodyOf<Operation> = Operation extends { requestBody: infer Request }
  ? Json<Request> | Ndjson<Request>
  : undefined
export type QueryOf<Operation> =
  Parameters<Operation> extends { query?: infer Query } ? Defined<Query> : Record<never, never>
export type PathOf<Operation> =
  Parameters<Operation> extends { path?: infer Path } ? Defined<Path> : Record<never, never>
export type HeaderOf<Operation> =
  Parameters<Operation> extends { header?: infer Header } ? Defined<Header> : Record<never, never>
export type SuccessStatusOf<Operation> = Extract<keyof Responses<Operation>, 200 | 201>
export type SuccessOf<Operation> = Json<Responses<Operation>[SuccessStatusOf<Operation>]>
/** 202: the operation waits for a second person. `never`: it does not wait. */
export type AcceptedStatusOf<Operation> = Extract<keyof Responses<Operation>, 202>
export type AcceptedOf<Operation> = Json<Responses<Operation>[AcceptedStatusOf<Operation>]>
