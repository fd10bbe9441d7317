export { TiwalaError } from '@tiwala/transport'
export type { ErrorCode, PartnerSchemas as Schemas } from '@tiwala/contract/partner'
export { createPartnerClient, type AuthorizationAnswer, type PartnerClient, type PartnerClientOptions } from './partner-client.ts'
export { createSsoClient, type SsoClient, type SsoClientOptions } from './sso-client.ts'
