// `npm run example:bank`: the bank, with the partner of a running sandbox.
import { createSsoClient } from '@tiwala/client'
import * as openid from 'openid-client'
import { playCitizen } from '../sandbox/play-citizen.ts'
import { signInNote } from '../sandbox/sign-in-note.ts'
import { listen } from '../site/listen.ts'
import { createBank } from './bank.ts'

const { sandbox, router } = await playCitizen(process.argv[2] ?? 'http://localhost:8080')
const { auth_url, partner } = sandbox
const { url, serve } = await listen(3001)
const sso = createSsoClient({
  authUrl: auth_url,
  partnerCode: partner.partner_code,
  partnerSecret: partner.partner_secret,
})
const tiwala = await openid.discovery(
  new URL(`${auth_url}/oidc`),
  partner.partner_code,
  partner.partner_secret,
  undefined,
  // For a sandbox on this machine. In production, Tiwala has `https`.
  { execute: auth_url.startsWith('http:') ? [openid.allowInsecureRequests] : [] },
)
const citizenAppUrl = (state: string) => `/citizen/sign-in/${state}`
const bank = createBank({ url, tiwala, exchange: { sso, citizenAppUrl }, note: signInNote(auth_url) })
serve(bank.use(router))
console.log(`The bank: ${url}`)
console.log(`The phone of a citizen: ${auth_url}/sandbox/`)
