import {
  type AcceptanceOutcome,
  type AuthorizationAnswer,
  createPartnerClient,
  createSsoClient,
  type ErrorCode,
  type PartnerClient,
  type Schemas,
  type SsoClient,
  type TiwalaError,
  type Unknown,
  type UnknownEvent,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookError,
  type WebhookEvent,
} from '@tiwala/client'
import type { OperatorOperations, Schemas as AllSchemas } from '@tiwala/contract'
import type { Transport } from '@tiwala/transport'
import { describe, expect, expectTypeOf, test } from 'vitest'

const SECRETS = { secretCode: '', secretToken: '' }

describe('the types of the client', () => {
  test('is_accepted discriminates the records', () => {
    const profileOf = ({ record }: AuthorizationAnswer<'inquire'>): Schemas['Profile'] | null => {
      if (record.is_accepted === 1) {
        expectTypeOf(record.response).toEqualTypeOf<Schemas['Profile']>()
        expectTypeOf(record.accepted_at).toEqualTypeOf<string>()
        return record.response
      }
      if (record.is_accepted === 0) expectTypeOf(record.response).toEqualTypeOf<null>()
      // is_accepted is null for pending and viewed records, so the response is optional.
      else expectTypeOf(record.response).toEqualTypeOf<Schemas['Profile'] | null>()
      // @ts-expect-error -- without a check of the state, the profile may be missing
      const profile: Schemas['Profile'] = record.response
      return profile
    }
    expect(profileOf).toBeTypeOf('function')
  })

  test('state discriminates the records of every operation', () => {
    const nameOf = (answer: AuthorizationAnswer<'inquire'>): string => {
      switch (answer.state) {
        case 'ACCEPTED':
        case 'VIEWED':
          return answer.record.response.first_name
        case 'PENDING':
          expectTypeOf(answer.record).toEqualTypeOf<Schemas['PendingAuthorization']>()
          return ''
        default:
          expectTypeOf(answer.record).toEqualTypeOf<Schemas['EndedAuthorization']>()
          return answer.state
      }
    }
    expectTypeOf<AuthorizationAnswer<'profileByQr'>['state']>().toEqualTypeOf<'VIEWED'>()
    expectTypeOf<AuthorizationAnswer<'cancelAuthorization'>['state']>().toEqualTypeOf<
      'DECLINED' | 'EXPIRED' | 'CANCELLED' | 'REVOKED'
    >()
    expectTypeOf<AuthorizationAnswer<'inquire'>['state']>().toEqualTypeOf<Schemas['AuthorizationState']>()
    // @ts-expect-error -- a request for a decision is never answered by a viewed record
    const isViewed = (answer: AuthorizationAnswer<'requestAuthorization'>) => answer.state === 'VIEWED'
    expect([nameOf, isViewed]).toHaveLength(2)
  })

  test('state discriminates the outcomes: each state has its own type', () => {
    type Of<State extends AcceptanceOutcome['state']> = Extract<AcceptanceOutcome, { state: State }>
    const profileOf = (outcome: AcceptanceOutcome): Schemas['Profile'] | null => {
      if (outcome.state === 'ACCEPTED' || outcome.state === 'VIEWED') return outcome.profile
      // @ts-expect-error -- the other states have no profile
      return outcome.profile ?? null
    }
    const tell = (outcome: AcceptanceOutcome): string => {
      if (outcome.state === 'ACCEPTED') return outcome.record.accepted_at
      if (outcome.state === 'VIEWED') return outcome.profile.uniqid
      expectTypeOf(outcome.record.response).toEqualTypeOf<null>()
      return outcome.record.tracking_no
    }
    expectTypeOf<AcceptanceOutcome['state']>().toEqualTypeOf<Schemas['AuthorizationState']>()
    expectTypeOf<Of<'ACCEPTED'>['record']>().toEqualTypeOf<Schemas['AcceptedAuthorization']>()
    expectTypeOf<Of<'REVOKED'>['record']>().toEqualTypeOf<Schemas['EndedAuthorization']>()
    expectTypeOf<Of<'EXPIRED'>['state']>().toEqualTypeOf<'EXPIRED'>()
    expectTypeOf<Of<'PENDING'>['expiresAt']>().toEqualTypeOf<Date | undefined>()
    expect([profileOf, tell]).toHaveLength(2)
  })

  test('type discriminates the events', () => {
    const tell = ({ event }: VerifiedWebhook): string => {
      if (event.type === 'credential.expiring') return event.data.expires_at
      if (event.type === 'authorization.accepted') return event.data.tracking_no
      // @ts-expect-error -- misspelled type
      if (event.type === 'authorization.acepted') return ''
      // @ts-expect-error -- a sign-in and a test event have no record
      return event.data.tracking_no
    }
    expectTypeOf<WebhookEvent['type']>().toEqualTypeOf<AllSchemas['EventType'] | Unknown>()
    const ignore = ({ event }: VerifiedWebhook): string => {
      switch (event.type) {
        case 'webhook.test':
          expectTypeOf(event.data.is_test).toEqualTypeOf<boolean>()
          return 'test'
        case 'credential.expiring':
        case 'sso.authenticated':
        case 'profile.viewed':
        case 'authorization.accepted':
        case 'authorization.cancelled':
        case 'authorization.declined':
        case 'authorization.expired':
        case 'authorization.revoked':
          return event.timestamp
        default:
          // Every documented type has its case, and the default still has a type to log.
          expectTypeOf(event).toEqualTypeOf<UnknownEvent>()
          return `ignored ${event.type}`
      }
    }
    // @ts-expect-error -- misspelled code
    const isReplayed = (error: WebhookError) => error.code === 'timestamp_old'
    const misuse = async (body: string, headers: Headers) => {
      // @ts-expect-error -- a parsed body is not the signed text
      await verifyWebhook({ type: 'webhook.test' }, headers, '')
    }
    expect([tell, ignore, isReplayed, misuse]).toHaveLength(4)
  })

  test('each operation has the types of its possible records', () => {
    expectTypeOf<Schemas['PendingAuthorization']['response']>().toEqualTypeOf<null>()
    expectTypeOf<AuthorizationAnswer<'profileByQr'>['record']>().toEqualTypeOf<
      Schemas['ViewedAuthorization']
    >()
    expectTypeOf<AuthorizationAnswer<'profileByQr'>['record']['response']>().toEqualTypeOf<
      Schemas['Profile']
    >()
    type Asked = AuthorizationAnswer<'requestAuthorization'>['record']
    expectTypeOf<Extract<Asked, { is_accepted: 1 }>['scope']>().toEqualTypeOf<'PROFILE_INQUIRE'>()
    expectTypeOf<Extract<Asked, { is_accepted: null }>['response']>().toEqualTypeOf<null>()
  })

  test('the two profile types have different fields', () => {
    expectTypeOf<Schemas['Profile']['postal']>().toEqualTypeOf<string | null>()
    expectTypeOf<Schemas['SsoProfile']['postal']>().toEqualTypeOf<number>()
    expectTypeOf<Schemas['SsoProfile']['passport']>().toEqualTypeOf<Schemas['Passport']>()
    expectTypeOf<Schemas['Profile']>().not.toHaveProperty('passport')
  })

  test('misspelled, missing and superfluous fields do not compile', () => {
    const misuse = async (
      profiles: PartnerClient,
      sso: SsoClient,
      operator: Transport<OperatorOperations>,
    ) => {
      // @ts-expect-error -- misspelled method
      await profiles.enquire('')
      // @ts-expect-error -- the tracking number is needed
      await profiles.inquire()
      // @ts-expect-error -- it is a string
      await profiles.inquire(5)
      // @ts-expect-error -- misspelled option
      await profiles.inquire('', { abort: new AbortController().signal })
      // @ts-expect-error -- misspelled field of the profile
      void (await sso.signIn('')).firstname
      // @ts-expect-error -- the state is beside the record, not in it
      void (await profiles.inquire('')).record.state
      // @ts-expect-error -- no such operation
      await operator('deletePartner', {})
      // @ts-expect-error -- the body is needed
      await operator('createPartner', {})
      // @ts-expect-error -- misspelled path parameter
      await operator('suspendPartner', { path: { partnerCode: '' } })
      // @ts-expect-error -- a single-use code is never sent twice
      await sso.signIn('', { maxRetries: 1 })
      // @ts-expect-error -- misspelled option
      createPartnerClient({ baseUrl: '', ...SECRETS, timeout: 1 })
      // @ts-expect-error -- single sign-on has its own URL
      createSsoClient({ baseUrl: '', partnerCode: '', partnerSecret: '' })
    }
    expect(misuse).toBeTypeOf('function')
  })

  test('the code of an error is one of the documented codes', () => {
    const isGone = (error: TiwalaError) => error.code === 'result_expired'
    // @ts-expect-error -- misspelled code
    const isLost = (error: TiwalaError) => error.code === 'results_expired'
    expectTypeOf<TiwalaError['code']>().toEqualTypeOf<ErrorCode | 'unexpected_answer' | Unknown>()
    // A code of a newer service reaches the default, as a text.
    const advice = ({ code }: { code: 'slow_down' | Unknown }): string => {
      switch (code) {
        case 'slow_down':
          return 'wait'
        default:
          expectTypeOf(code).toEqualTypeOf<Unknown>()
          return code.toUpperCase()
      }
    }
    expect([isGone, isLost, advice]).toHaveLength(3)
  })
})
