// The partner document alone: what partners see, and nothing else.
import type { BodyOf } from './derive.ts'
import { routes as partnerRoutes } from './generated/partner.routes.ts'
import type { components, operations, webhooks } from './generated/partner.ts'

export { partnerRoutes }

/** What partners call; the generated type counts the webhooks, too. */
export type PartnerOperations = Pick<operations, keyof typeof partnerRoutes>
export type PartnerSchemas = components['schemas']
export type ErrorCode = PartnerSchemas['ErrorCode']

/** What partners are called with, at their callback URL; told apart by `type`. */
export type WebhookEvent = BodyOf<webhooks[keyof webhooks]['post']>
