// `npm run example:clinic`: the clinic, with the partner of a running sandbox.
import { randomBytes } from 'node:crypto'
import { requireSandbox } from '../sandbox/require-sandbox.ts'
import { signInNote } from '../sandbox/sign-in-note.ts'
import { listen } from '../site/listen.ts'
import { createClinic } from './clinic.ts'

const { auth_url, partner } = await requireSandbox(process.argv[2] ?? 'http://localhost:8080')
const { url, serve } = await listen(3002)
serve(
  createClinic({
    issuer: `${auth_url}/oidc`,
    clientId: partner.partner_code,
    clientSecret: partner.partner_secret,
    sessionSecret: randomBytes(32).toString('hex'),
    note: signInNote(auth_url),
  }),
)
console.log(`The clinic: ${url}`)
console.log(`The phone of a citizen: ${auth_url}/sandbox/`)
