import { randomBytes } from 'node:crypto'
import { type SsoClient, TiwalaError } from '@tiwala/client'
import type { CitizenApp } from './citizen-app.ts'
import { field, printHeading, printProfile, printStep, shorten } from './print.ts'

export async function signInJourney(partner: SsoClient, app: CitizenApp, partnerCode: string): Promise<void> {
  printHeading('4. Single sign-on')
  const state = randomBytes(16).toString('hex')
  printStep('partner', 'begins a sign-in', field('state', state))
  const { exchange_code, redirect_url } = await app.signInTo(partnerCode, state)
  const redirect = new URL(redirect_url!)
  printStep(
    'citizen',
    "signs in to the partner's application",
    field('exchange_code', shorten(exchange_code)),
    field('redirect path', redirect.pathname),
  )
  if (redirect.searchParams.get('state') !== state) throw new Error('This sign-in is not the one that began.')
  printStep('partner', 'compares the state')
  const accessToken = await partner.generateToken(exchange_code)
  printStep('partner', 'exchanges the code', field('access_token', shorten(accessToken)))
  const profile = await partner.authenticate(accessToken)
  printStep('partner', 'uses the token')
  printProfile(profile)
  const { passport_number, place_issued, expiry_date } = profile.passport
  printStep(
    'partner',
    'reads the passport',
    field('number', passport_number),
    field('issued', place_issued),
    field('expires', expiry_date),
  )

  printHeading('5. A code or a token works only once')
  printStep('partner', 'uses the token again', ...(await refusalOf(partner.authenticate(accessToken))))
  printStep('partner', 'exchanges the code again', ...(await refusalOf(partner.generateToken(exchange_code))))
}

/** Returns the status, code and message of the refusal. The demo fails if the service does not refuse. */
async function refusalOf(request: Promise<unknown>): Promise<string[]> {
  const outcome = await request.then(
    () => new Error('The service accepted a single-use code or token twice.'),
    (error: unknown) => error,
  )
  if (!(outcome instanceof TiwalaError)) throw outcome
  return [field('refused', `${outcome.status} ${outcome.code}`), field('message', outcome.message)]
}
