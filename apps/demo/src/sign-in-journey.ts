import { type SsoClient, TiwalaError } from '@tiwala/client'
import type { CitizenApp } from './citizen-app.ts'
import { heading, shorten, step, tellProfile, value } from './tell.ts'

export async function signInJourney(partner: SsoClient, app: CitizenApp, partnerCode: string): Promise<void> {
  heading('4. Single sign-on')
  const { exchange_code, redirect_url } = await app.signInTo(partnerCode)
  step(
    'citizen',
    "signs in to the partner's application",
    value('exchange_code', shorten(exchange_code)),
    value('handed over at', redirect_url && new URL(redirect_url).pathname),
  )
  const accessToken = await partner.generateToken(exchange_code)
  step('partner', 'exchanges the code', value('access_token', shorten(accessToken)))
  const profile = await partner.authenticate(accessToken)
  step('partner', 'uses the token')
  tellProfile(profile)
  const { passport_number, place_issued, expiry_date } = profile.passport
  step('partner', 'reads the passport', value('number', passport_number), value('issued', place_issued), value('expires', expiry_date))

  heading('5. Nothing works twice')
  step('partner', 'uses the token again', ...(await refusal(partner.authenticate(accessToken))))
  step('partner', 'exchanges the code again', ...(await refusal(partner.generateToken(exchange_code))))
}

/** What the service says no with; the demo fails where it does not say no. */
async function refusal(call: Promise<unknown>): Promise<string[]> {
  const outcome = await call.then(
    () => new Error('The service answered twice what it may answer once.'),
    (error: unknown) => error,
  )
  if (!(outcome instanceof TiwalaError)) throw outcome
  return [value('refused', `${outcome.status} ${outcome.code}`), value('message', outcome.message)]
}
