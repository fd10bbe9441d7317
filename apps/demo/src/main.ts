// Runs both journeys against a running sandbox: `npm run demo`, or `npm run demo -- http://localhost:8081`.
import { createPartnerClient, createSsoClient } from '@tiwala/client'
import { createCitizenApp } from './citizen-app.ts'
import { formatError } from './format-error.ts'
import { printLine } from './print.ts'
import { profileJourney } from './profile-journey.ts'
import { fetchSandbox } from './sandbox.ts'
import { signInJourney } from './sign-in-journey.ts'

const address = process.argv[2] ?? `http://localhost:${process.env['PORT'] ?? 8080}`

try {
  const { base_url, auth_url, citizen_url, partner, citizens } = await fetchSandbox(address)
  const citizen = citizens.find(({ behavior }) => behavior === 'manual')!
  printLine(
    `Partner: ${partner.name} (${partner.partner_code}). Citizen: ${citizen.name}. Service: ${base_url}.`,
  )
  printLine('The partner and the citizen are invented. Every request is real.')

  const profiles = createPartnerClient({
    baseUrl: base_url,
    secretCode: partner.secret_code,
    secretToken: partner.secret_token,
  })
  const sso = createSsoClient({
    authUrl: auth_url,
    partnerCode: partner.partner_code,
    partnerSecret: partner.partner_secret,
  })
  const app = createCitizenApp(citizen_url, citizen.token)

  await profileJourney(profiles, app)
  await signInJourney(sso, app, partner.partner_code)
  printLine(`\nTo do the same in your own code, read ${base_url}/docs`)
} catch (error) {
  console.error(formatError(error, address))
  process.exitCode = 1
}
