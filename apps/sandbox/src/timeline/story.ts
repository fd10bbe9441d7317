// What has happened so far, as steps: each has the request that shows it, if this tab sent it.
import type { InboxEvent } from '@tiwala/server/sandbox-bootstrap'
import type { Exchange } from '../http/exchanges.ts'
import { nameOf } from '../http/operation-of.ts'
import { type Delivery, receivedOf } from './events.ts'

export type Step = {
  id: string
  title: string
  note: string
  status: 'done' | 'failed' | 'now' | 'later'
  exchange?: Exchange | undefined
  event?: { delivery: Delivery; received: InboxEvent | undefined } | undefined
}

const ENDED_WORDS: Record<string, string> = {
  DECLINED: 'The citizen declined.',
  EXPIRED: 'The citizen did not answer in time.',
  CANCELLED: 'The desk cancelled the request.',
  REVOKED: 'The citizen took the consent back.',
}
const has = ({ response }: Exchange, text: string) => response?.body.includes(text) ?? false
const named = (exchange: Exchange, ...names: string[]) => names.includes(nameOf(exchange))

export type Facts = {
  exchanges: Exchange[]
  sent: Delivery[]
  received: InboxEvent[]
  /** The newest record at the desk, if there is one. */
  trackingNo: string | undefined
  state: string | undefined
  name: string
}

/** A profile with consent: QR code, request, consent, event, profile. */
export function consentStory({ exchanges, sent, received, trackingNo, state, name }: Facts): Step[] {
  const asking =
    trackingNo &&
    exchanges.find(
      (exchange) => named(exchange, 'requestAuthorization', 'profileByQr') && has(exchange, trackingNo),
    )
  const value = asking ? asking.request.form?.[0]?.[1] : undefined
  const code = exchanges.find(
    (exchange) => named(exchange, 'issueQrCode') && (trackingNo ? value && has(exchange, value) : true),
  )
  const answer = exchanges.find(
    (exchange) =>
      named(exchange, 'acceptAuthorization', 'declineAuthorization', 'revokeAuthorization') &&
      exchange.url.includes(trackingNo ?? ' '),
  )
  const isShared = state === 'VIEWED'
  const isGiven = state === 'ACCEPTED' || isShared
  const isOver = !!state && state !== 'PENDING'
  const delivery = sent.find(({ tracking_no, type }) => tracking_no === trackingNo && type !== 'webhook.test')
  const inquiry = isShared
    ? asking
    : exchanges.find(
        (exchange) =>
          named(exchange, 'inquire') && has(exchange, trackingNo ?? ' ') && has(exchange, '"is_accepted":1'),
      )
  const ifOver = (reached: Step['status']) => (isOver ? reached : 'later')
  return [
    {
      id: 'code',
      title: 'QR code shown',
      note: trackingNo ? `${name} showed a code.` : `${name} shows a code that lives for one minute.`,
      status: 'done',
      exchange: code,
    },
    {
      id: 'request',
      title: 'Request',
      note: trackingNo
        ? isShared
          ? 'The desk used a code that shares at once.'
          : `The desk asked. The number ends in ${trackingNo.slice(-4)}.`
        : 'The desk scans the code and asks.',
      status: trackingNo ? 'done' : 'now',
      exchange: asking || undefined,
    },
    {
      id: 'consent',
      title: 'Consent',
      note: isShared
        ? 'Given with the code.'
        : isGiven
          ? 'The citizen accepted.'
          : (ENDED_WORDS[state ?? ''] ??
            (trackingNo ? 'The phone asks the citizen.' : 'The citizen says yes, or no.')),
      status: isGiven ? 'done' : isOver ? 'failed' : trackingNo ? 'now' : 'later',
      exchange: answer,
    },
    {
      id: 'event',
      title: 'Event',
      note: delivery
        ? `${delivery.type}, ${delivery.status === 'DELIVERED' ? 'delivered' : 'on its way'}.`
        : 'Your server hears of it, signed.',
      status: delivery?.status === 'DELIVERED' ? 'done' : ifOver('now'),
      event: delivery && { delivery, received: receivedOf(delivery, received) },
    },
    {
      id: 'profile',
      title: 'Profile',
      note: isGiven ? 'At the desk.' : isOver ? 'The desk got none.' : 'As the government knows the citizen.',
      status: isGiven ? 'done' : ifOver('failed'),
      exchange: inquiry || undefined,
    },
  ]
}

/** A sign-in page whose code the phone has scanned. */
export const scannedStory = (exchanges: Exchange[]): Step[] => [
  {
    id: 'scanned',
    title: 'Code scanned',
    note: 'It is on the sign-in page of a website.',
    status: 'done',
    exchange: exchanges.find((exchange) => named(exchange, 'openSignIn')),
  },
  { id: 'consent', title: 'Consent', note: 'The phone asks the citizen.', status: 'now' },
  { id: 'signed-in', title: 'Sign-in', note: 'The website gets what the citizen shares.', status: 'later' },
]

/** A sign-in: exchange code, token, profile. `address`: where the code arrived. */
export function signInStory(exchanges: Exchange[], code: string): Step[] {
  const issued = exchanges.find((exchange) => named(exchange, 'issueExchangeCode') && has(exchange, code))
  const redeemed = exchanges.find(
    (exchange) =>
      named(exchange, 'generateToken') && exchange.request.form?.some(([, value]) => value === code),
  )
  const isRedeemed = redeemed?.response?.status === 200
  const [token] = isRedeemed ? (/"access_token":"([^"]+)/.exec(redeemed.response!.body)?.slice(1) ?? []) : []
  const signedIn =
    token &&
    exchanges.find(
      (exchange) =>
        named(exchange, 'authenticate') &&
        exchange.request.headers.some(([, value]) => value.includes(token)),
    )
  const isSignedIn = signedIn ? signedIn.response?.status === 200 : false
  return [
    {
      id: 'issued',
      title: 'Sign-in',
      note: 'The phone opened your redirect URL with an exchange code.',
      status: 'done',
      exchange: issued,
    },
    {
      id: 'token',
      title: 'Access token',
      note: redeemed ? 'Your server exchanged the code for a token.' : 'Your server exchanges the code.',
      status: isRedeemed ? 'done' : redeemed ? 'failed' : 'now',
      exchange: redeemed,
    },
    {
      id: 'signed-in',
      title: 'Profile and passport',
      note: isSignedIn ? 'At the desk.' : 'The token gives them, once.',
      status: isSignedIn ? 'done' : isRedeemed ? 'now' : 'later',
      exchange: signedIn || undefined,
    },
  ]
}
