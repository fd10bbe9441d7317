// What the documents in spec/ mean to TypeScript: derived, never declared again.
import type * as citizenApp from './generated/citizen-app.ts'
import { routes as citizenAppRoutes } from './generated/citizen-app.routes.ts'
import type * as operator from './generated/operator.ts'
import { routes as operatorRoutes } from './generated/operator.routes.ts'
import type * as partner from './generated/partner.ts'
import { routes as partnerRoutes } from './generated/partner.routes.ts'

export type { paths as PartnerPaths } from './generated/partner.ts'
export type { paths as CitizenAppPaths } from './generated/citizen-app.ts'
export type { paths as OperatorPaths } from './generated/operator.ts'

/** Method and path of every operation, by document. */
export const routes = { partner: partnerRoutes, 'citizen-app': citizenAppRoutes, operator: operatorRoutes }

export type DocumentName = keyof typeof routes
export type PartnerOperationId = keyof partner.operations
export type CitizenAppOperationId = keyof citizenApp.operations
export type OperatorOperationId = keyof operator.operations

export interface Operations extends partner.operations, citizenApp.operations, operator.operations {}
export type OperationId = keyof Operations

export type Schemas = partner.components['schemas'] & citizenApp.components['schemas'] & operator.components['schemas']
export type ErrorCode = Schemas['ErrorCode']

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Responses<Id extends OperationId> = Operations[Id]['responses']
type Defined<T> = [T] extends [never] ? Record<never, never> : T extends undefined ? Record<never, never> : T

/** The body of a request, as JSON has it (forms carry the same fields). */
export type Body<Id extends OperationId> = Operations[Id] extends { requestBody: infer Request } ? Json<Request> : undefined
export type Query<Id extends OperationId> = Defined<NonNullable<Operations[Id]['parameters']['query']>>
export type Path<Id extends OperationId> = Defined<NonNullable<Operations[Id]['parameters']['path']>>

export type SuccessStatus<Id extends OperationId> = Extract<keyof Responses<Id>, 200 | 201>
export type Success<Id extends OperationId> = Json<Responses<Id>[SuccessStatus<Id>]>
/** The codes with which an operation refuses. */
export type Refusal<Id extends OperationId> = Extract<Json<Responses<Id>[Exclude<keyof Responses<Id>, SuccessStatus<Id>>]>, { error: unknown }>['error']
