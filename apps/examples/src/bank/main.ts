// `npm run example:bank`: the bank at http://localhost:3001, with the partner of a running sandbox.
import { createSsoClient } from '@tiwala/client'
import { playCitizen } from '../sandbox/play-citizen.ts'
import { createBank } from './bank.ts'

const { sandbox, router } = await playCitizen(process.argv[2] ?? 'http://localhost:8080')
const { auth_url, partner } = sandbox
const sso = createSsoClient({
  authUrl: auth_url,
  partnerCode: partner.partner_code,
  partnerSecret: partner.partner_secret,
})
const citizenAppUrl = (state: string) => `/citizen/sign-in/${state}`
createBank({ sso, citizenAppUrl }).use(router).listen(3001)
console.log('The bank: http://localhost:3001')
