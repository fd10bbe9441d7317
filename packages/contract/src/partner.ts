// The partner document alone: what partners see, and nothing else.
import type { components, operations } from './generated/partner.ts'
export { routes as partnerRoutes } from './generated/partner.routes.ts'

export type PartnerOperations = operations
export type PartnerSchemas = components['schemas']
export type ErrorCode = PartnerSchemas['ErrorCode']
