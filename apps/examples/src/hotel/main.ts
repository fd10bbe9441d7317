// `npm run example:hotel`: the hotel, with the partner of a running sandbox.
import { createPartnerClient } from '@tiwala/client'
import { playCitizen } from '../sandbox/play-citizen.ts'
import { html } from '../site/html.ts'
import { listen } from '../site/listen.ts'
import { createHotel } from './hotel.ts'

const { sandbox, router } = await playCitizen(process.argv[2] ?? 'http://localhost:8080')
const { base_url, partner } = sandbox
const tiwala = createPartnerClient({
  baseUrl: base_url,
  secretCode: partner.secret_code,
  secretToken: partner.secret_token,
  onResponse: ({ operation, status, errorCode }) => console.log(operation, status, errorCode ?? ''),
})
const note = html`<strong>Sandbox:</strong> you are also the guest.
  <a href="/citizen/qr" target="_blank">The phone of a guest</a> shows QR codes, and answers requests.`
const { url, serve } = await listen(3000)
serve(createHotel(tiwala, partner.webhook_secret, note).use(router))
console.log(`The desk: ${url}`)
console.log(`The phone of a guest: ${url}/citizen/qr`)
