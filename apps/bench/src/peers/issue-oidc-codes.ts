// Creates authorization codes, each with its grant, as the provider does after a user has consented. Prints
// them as JSON. Usage: `node issue-oidc-codes.ts 1000`.
import { createOidcProvider, OIDC_CLIENT } from './create-oidc-provider.ts'
import { connect } from './find-record.ts'

const CONCURRENCY = 20
const pool = connect()
const provider = createOidcProvider(pool, 'EdDSA')
const client = await provider.Client.find(OIDC_CLIENT.client_id)
const { rows: accounts } = await pool.query<{ id: string }>('select id from account')
const codes: string[] = []
let remaining = Number(process.argv[2])

async function issueCodes(): Promise<void> {
  const { client_id, redirect_uri, scope } = OIDC_CLIENT
  while (remaining-- > 0) {
    const accountId = accounts[remaining % accounts.length]!.id
    const grant = new provider.Grant({ accountId, clientId: client_id })
    grant.addOIDCScope(scope)
    const grantId = await grant.save()
    const code = new provider.AuthorizationCode({
      accountId,
      client,
      grantId,
      scope,
      redirectUri: redirect_uri,
      gty: 'authorization_code',
    })
    codes.push(await code.save())
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, issueCodes))
process.stdout.write(JSON.stringify(codes))
await pool.end()
