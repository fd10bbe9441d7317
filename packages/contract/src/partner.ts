// The types of the partner document only. Partners never see the other documents.
import type { BodyOf } from './derive.ts'
import { errorBody, responses as partnerResponses } from './generated/partner.responses.ts'
import { routes as partnerRoutes } from './generated/partner.routes.ts'
import type { components, operations, paths, webhooks } from './generated/partner.ts'

export type { ResponseShape, Shape } from './response-shape.ts'
export { errorBody, partnerResponses, partnerRoutes }

/** The operations that partners call. The generated type also contains the webhooks. */
export type PartnerOperations = Pick<operations, keyof typeof partnerRoutes>
export type PartnerPaths = paths
export type PartnerSchemas = components['schemas']
export type ErrorCode = PartnerSchemas['ErrorCode']

/** An event that the service posts to a partner's callback URL. The field `type` discriminates the union. */
export type WebhookEvent = BodyOf<webhooks[keyof webhooks]['post']>
