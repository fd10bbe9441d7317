export {
  TiwalaConnectionError,
  TiwalaError,
  type RequestEvent,
  type ResponseEvent,
  type Unknown,
} from '@tiwala/transport'
export type { ErrorCode, PartnerSchemas as Schemas } from '@tiwala/contract/partner'
export type { AuthorizationAnswer, InquireOptions } from './authorization-answer.ts'
export type { Call, CallOptions, RepeatableCallOptions, WithRequestId } from './client-options.ts'
export * from './partner-client.ts'
export * from './sso-client.ts'
export type { AcceptanceOutcome, WaitForAcceptanceOptions } from './wait-for-acceptance.ts'
export {
  verifyWebhook,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  type WebhookHeaders,
} from './verify-webhook.ts'
export { signTestEvent, type SignTestEventOptions } from './sign-test-event.ts'
export type { TestEvent, UnknownEvent, WebhookEvent } from './webhook-event.ts'
export { WebhookError, type WebhookErrorCode } from './webhook-error.ts'
