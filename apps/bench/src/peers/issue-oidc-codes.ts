// Writes authorization codes, each with its grant, as the provider does once its user has consented: `node issue-oidc-codes.ts 1000`.
import { connect } from './find-record.ts'
import { createProvider, OIDC_CLIENT } from './create-oidc-provider.ts'

const AT_ONCE = 20
const pool = connect()
const provider = createProvider(pool, 'EdDSA')
const client = await provider.Client.find(OIDC_CLIENT.client_id)
const { rows: accounts } = await pool.query<{ id: string }>('select id from account')
const codes: string[] = []
let left = Number(process.argv[2])

async function issue(): Promise<void> {
  const { client_id, redirect_uri, scope } = OIDC_CLIENT
  while (left-- > 0) {
    const accountId = accounts[left % accounts.length]!.id
    const grant = new provider.Grant({ accountId, clientId: client_id })
    grant.addOIDCScope(scope)
    const grantId = await grant.save()
    const code = new provider.AuthorizationCode({ accountId, client, grantId, scope, redirectUri: redirect_uri, gty: 'authorization_code' })
    codes.push(await code.save())
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, issue))
process.stdout.write(JSON.stringify(codes))
await pool.end()
