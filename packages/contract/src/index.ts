// The TypeScript types of the documents in spec/. They are derived from the documents, not written by hand.
import type {
  AcceptedOf,
  AcceptedStatusOf,
  BodyOf,
  HeaderOf,
  PathOf,
  QueryOf,
  SuccessOf,
  SuccessStatusOf,
} from './derive.ts'
import { routes as citizenAppRoutes } from './generated/citizen-app.routes.ts'
import type * as citizenApp from './generated/citizen-app.ts'
import { routes as operatorRoutes } from './generated/operator.routes.ts'
import type * as operator from './generated/operator.ts'
import { routes as workbenchRoutes } from './generated/workbench.routes.ts'
import type * as workbench from './generated/workbench.ts'
import { type PartnerOperations, partnerRoutes, type PartnerSchemas } from './partner.ts'

export type { ErrorCode, PartnerOperations, WebhookEvent } from './partner.ts'
export type CitizenAppOperations = citizenApp.operations
export type OperatorOperations = operator.operations
export type WorkbenchOperations = workbench.operations
export interface Operations
  extends PartnerOperations, CitizenAppOperations, OperatorOperations, WorkbenchOperations {}

export type OperationId = keyof Operations
export type Schemas = PartnerSchemas &
  citizenApp.components['schemas'] &
  operator.components['schemas'] &
  workbench.components['schemas']

/** The method and path of each operation, by document. */
export const routes = {
  partner: partnerRoutes,
  'citizen-app': citizenAppRoutes,
  operator: operatorRoutes,
  workbench: workbenchRoutes,
}
export type DocumentName = keyof typeof routes

export type Body<Id extends OperationId> = BodyOf<Operations[Id]>
export type Query<Id extends OperationId> = QueryOf<Operations[Id]>
export type Header<Id extends OperationId> = HeaderOf<Operations[Id]>
export type Path<Id extends OperationId> = PathOf<Operations[Id]>
export type SuccessStatus<Id extends OperationId> = SuccessStatusOf<Operations[Id]>
export type Success<Id extends OperationId> = SuccessOf<Operations[Id]>
export type AcceptedStatus<Id extends OperationId> = AcceptedStatusOf<Operations[Id]>
export type Accepted<Id extends OperationId> = AcceptedOf<Operations[Id]>
