import type { PartnerClient } from '@tiwala/client'
import type { CitizenApp } from './citizen-app.ts'
import { field, highlightLastFour, printHeading, printProfile, printStep, shorten } from './print.ts'

export async function profileJourney(partner: PartnerClient, app: CitizenApp): Promise<void> {
  printHeading('1. A profile, with consent')
  const trackingNo = await requestAuthorization(partner, app)
  const pending = await partner.inquire(trackingNo)
  printStep(
    'partner',
    'inquires immediately',
    field('state', pending.state),
    field('retry in', `${pending.retryAfterSeconds} s`),
  )

  const consent = await app.openRequest(trackingNo)
  printStep(
    'citizen',
    'reads the request in the app',
    field('partner', consent.partner.name),
    field('purpose', consent.partner.purpose),
    field('compare', `…${consent.tracking_no_last4} on the partner's screen`),
    field('shares', `${consent.shares.length} fields: ${consent.shares.slice(0, 6).join(', ')} …`),
  )
  await app.accept(trackingNo)
  printStep('citizen', 'accepts')

  const accepted = await waitForDecision(partner, trackingNo, ({ record, timeZone }) =>
    field('accepted_at', `${record.accepted_at} ${timeZone}`),
  )
  if (accepted.state === 'ACCEPTED') printProfile(accepted.profile)

  printHeading('2. A citizen who declines')
  const declinedNo = await requestAuthorization(partner, app)
  await app.decline(declinedNo)
  printStep('citizen', 'declines')
  await waitForDecision(partner, declinedNo, (declined) =>
    field('profile', 'profile' in declined ? 'present' : 'none'),
  )

  printHeading('3. A QR code that shares the profile immediately')
  const { qr_value } = await app.showQr('share')
  printStep('citizen', 'chooses to share and shows a QR code', field('qr_value', shorten(qr_value)))
  const viewed = await partner.profileByQr(qr_value)
  printStep(
    'partner',
    'gets the profile with the QR value',
    field('state', viewed.state),
    field('scope', viewed.record.scope),
    field('tracking_no', highlightLastFour(viewed.record.tracking_no)),
  )
  printProfile(viewed.record.response)
}

/** The citizen shows a QR code, and the partner sends its value. Returns the tracking number. */
async function requestAuthorization(partner: PartnerClient, app: CitizenApp): Promise<string> {
  const { qr_value } = await app.showQr('inquire')
  printStep('citizen', 'shows a QR code', field('qr_value', shorten(qr_value)))
  const { record, state, expiresAt } = await partner.requestAuthorization(qr_value)
  printStep(
    'partner',
    'requests authorization with the QR value',
    field('state', state),
    field('tracking_no', highlightLastFour(record.tracking_no)),
    field('expires', expiresAt?.toISOString()),
  )
  return record.tracking_no
}

type Decision = Awaited<ReturnType<PartnerClient['waitForAcceptance']>>

async function waitForDecision(
  partner: PartnerClient,
  trackingNo: string,
  detail: (decision: Decision) => string,
): Promise<Decision> {
  const decision = await partner.waitForAcceptance(trackingNo)
  printStep(
    'partner',
    'has waited for the decision',
    field('state', decision.state),
    field('is_accepted', decision.record.is_accepted),
    detail(decision),
  )
  return decision
}
