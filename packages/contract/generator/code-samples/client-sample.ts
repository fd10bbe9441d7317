import { BASE_URL, MAX_WAIT_SECONDS, type SampleRequest } from './sample-request.ts'

/** How our own client makes the request of each operation. */
const CALLS: Readonly<Record<string, string>> = {
  requestAuthorization: 'await tiwala.requestAuthorization(process.env.QR_VALUE)',
  inquire: `await tiwala.inquire(process.env.TRACKING_NO, { waitSeconds: ${MAX_WAIT_SECONDS} })`,
  profileByQr: 'await tiwala.profileByQr(process.env.QR_VALUE)',
  cancelAuthorization: 'await tiwala.cancelAuthorization(process.env.TRACKING_NO)',
  readPartnerSelf: 'await tiwala.whoAmI()',
  readDiagnosis: 'await tiwala.diagnose(process.env.REQUEST_ID)',
  generateToken: 'await tiwala.generateToken(process.env.EXCHANGE_CODE)',
  authenticate: 'await tiwala.authenticate(process.env.ACCESS_TOKEN)',
}
const SSO = new Set(['generateToken', 'authenticate'])

export function clientSample({ operationId }: SampleRequest): string {
  const call = CALLS[operationId]
  if (!call) throw new Error(`client-sample.ts has no call of the client for ${operationId}.`)
  return SSO.has(operationId) ? ssoSample(call) : profileSample(call)
}

const profileSample = (call: string) => `import { createPartnerClient } from '@tiwala/client'

const tiwala = createPartnerClient({
  baseUrl: '${BASE_URL}',
  secretCode: process.env.TIWALA_SECRET_CODE,
  secretToken: process.env.TIWALA_SECRET_TOKEN,
})
console.log(${call})
`

const ssoSample = (call: string) => `import { createSsoClient } from '@tiwala/client'

const tiwala = createSsoClient({
  authUrl: '${BASE_URL}',
  partnerCode: process.env.TIWALA_PARTNER_CODE,
  partnerSecret: process.env.TIWALA_PARTNER_SECRET,
})
console.log(${call})
`
