import type { PartnerClient } from '@tiwala/client'
import type { CitizenApp } from './citizen-app.ts'
import { heading, lastFour, shorten, step, tellProfile, value } from './tell.ts'

export async function profileJourney(partner: PartnerClient, app: CitizenApp): Promise<void> {
  heading('1. A profile, with consent')
  const trackingNo = await ask(partner, app)
  const early = await partner.inquire(trackingNo)
  step('partner', 'inquires at once', value('state', early.state), value('ask again in', `${early.retryAfterSeconds} s`))

  const consent = await app.openRequest(trackingNo)
  step(
    'citizen',
    'reads the request in the app',
    value('who asks', consent.partner.name),
    value('why', consent.partner.purpose),
    value('compare', `…${consent.tracking_no_last4} on the partner's screen`),
    value('would share', `${consent.shares.length} fields: ${consent.shares.slice(0, 6).join(', ')} …`),
  )
  await app.accept(trackingNo)
  step('citizen', 'accepts')

  const accepted = await partner.waitForAcceptance(trackingNo)
  step(
    'partner',
    'has waited for the answer',
    value('state', accepted.state),
    value('is_accepted', accepted.record.is_accepted),
    value('accepted_at', `${accepted.record.accepted_at} ${accepted.timeZone}`),
  )
  if (accepted.state === 'ACCEPTED') tellProfile(accepted.profile)

  heading('2. A citizen who declines')
  const declinedNo = await ask(partner, app)
  await app.decline(declinedNo)
  step('citizen', 'declines')
  const declined = await partner.waitForAcceptance(declinedNo)
  step(
    'partner',
    'has waited for the answer',
    value('state', declined.state),
    value('is_accepted', declined.record.is_accepted),
    value('profile', 'profile' in declined ? 'given' : 'none'),
  )

  heading('3. A QR code made for sharing at once')
  const { qr_value } = await app.showQr('share')
  step('citizen', 'chooses to share, and shows a QR code', value('qr_value', shorten(qr_value)))
  const viewed = await partner.profileByQr(qr_value)
  step(
    'partner',
    'gets the profile by it',
    value('state', viewed.state),
    value('scope', viewed.record.scope),
    value('tracking_no', lastFour(viewed.record.tracking_no)),
  )
  tellProfile(viewed.record.response)
}

/** The citizen shows a code, the partner sends it. */
async function ask(partner: PartnerClient, app: CitizenApp): Promise<string> {
  const { qr_value } = await app.showQr('inquire')
  step('citizen', 'shows a QR code', value('qr_value', shorten(qr_value)))
  const { record, state, expiresAt } = await partner.requestAuthorization(qr_value)
  step(
    'partner',
    'requests authorization with it',
    value('state', state),
    value('tracking_no', lastFour(record.tracking_no)),
    value('expires', expiresAt?.toISOString()),
  )
  return record.tracking_no
}
