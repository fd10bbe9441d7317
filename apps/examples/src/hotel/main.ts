// `npm run example:hotel`: the hotel at http://localhost:3000, with the partner of a running sandbox.
import { createPartnerClient } from '@tiwala/client'
import { playCitizen } from '../sandbox/play-citizen.ts'
import { createHotel } from './hotel.ts'

const { sandbox, router } = await playCitizen(process.argv[2] ?? 'http://localhost:8080')
const { base_url, partner } = sandbox
const tiwala = createPartnerClient({
  baseUrl: base_url,
  secretCode: partner.secret_code,
  secretToken: partner.secret_token,
  onResponse: ({ operation, status, errorCode }) => console.log(operation, status, errorCode ?? ''),
})
createHotel(tiwala, partner.webhook_secret).use(router).listen(3000)
console.log('The desk: http://localhost:3000')
console.log('The phone of a guest: http://localhost:3000/citizen/qr')
