// Peer of the sign-in by OpenID Connect, if KEYCLOAK_HOME names an installation (`NOTES.md` says how to get one). Codes
// live in Keycloak's memory, so users sign in with their browsers, and each code is asked for before its round.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mapConcurrently } from '@tiwala/kit/map-concurrently'
import { startContender } from '../contenders/contender.ts'
import { CODE_CHALLENGE } from '../fixtures/issue-sign-in-codes.ts'
import { OIDC_CLIENT } from './oidc-provider.ts'

const PROTOCOL = '/realms/bench/protocol/openid-connect'
export const KEYCLOAK_PATHS = { token: `${PROTOCOL}/token`, userinfo: `${PROTOCOL}/userinfo` }
const USERS = 50
const HOUR_SECONDS = 3_600
const PASSWORD = 'a password of the bench'

const REALM = {
  realm: 'bench',
  enabled: true,
  sslRequired: 'none',
  accessCodeLifespan: HOUR_SECONDS,
  ssoSessionIdleTimeout: HOUR_SECONDS,
  clients: [
    {
      clientId: OIDC_CLIENT.client_id,
      secret: OIDC_CLIENT.client_secret,
      redirectUris: [OIDC_CLIENT.redirect_uri],
      standardFlowEnabled: true,
    },
  ],
  users: Array.from({ length: USERS }, (_, index) => ({
    username: `user-${index}`,
    enabled: true,
    email: `user-${index}@bench.invalid`,
    emailVerified: true,
    firstName: 'Juan',
    lastName: 'Dela Cruz',
    credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
  })),
}

/** Starts Keycloak with its default caches. It needs `kc.sh build --db=postgres` before. */
export async function startKeycloak(home: string, databaseUrl: string, logFolder: string) {
  mkdirSync(join(home, 'data/import'), { recursive: true })
  writeFileSync(join(home, 'data/import/bench-realm.json'), JSON.stringify(REALM))
  const { host, pathname, username, password } = new URL(databaseUrl)
  return startContender({
    name: 'Keycloak',
    command: 'sh',
    args: ['-c', 'exec "$0" start --optimized --import-realm --http-port=$PORT', join(home, 'bin/kc.sh')],
    env: {
      KC_DB_URL: `jdbc:postgresql://${host}${pathname}`,
      KC_DB_USERNAME: username,
      KC_DB_PASSWORD: password,
      // As many connections as the other contenders have.
      KC_DB_POOL_MAX_SIZE: '20',
      KC_DB_POOL_MIN_SIZE: '20',
      KC_HTTP_ENABLED: 'true',
      KC_HTTP_HOST: '127.0.0.1',
      KC_HOSTNAME_STRICT: 'false',
    },
    readyPath: '/realms/bench',
    logFolder,
    startTimeoutMs: 300_000,
  })
}

const authorizationPath = `${PROTOCOL}/auth?${String(
  new URLSearchParams({
    client_id: OIDC_CLIENT.client_id,
    redirect_uri: OIDC_CLIENT.redirect_uri,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: CODE_CHALLENGE,
    code_challenge_method: 'S256',
  }),
)}`

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

/** Signs all users in. Returns the cookies of their browsers. */
export async function signUsersIn(origin: string): Promise<string[]> {
  return mapConcurrently(Array.from({ length: USERS }).keys(), async (index) => {
    const page = await fetch(origin + authorizationPath)
    const action = /action="([^"]+)"/.exec(await page.text())![1]!.replaceAll('&amp;', '&')
    const signedIn = await fetch(action, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookiesOf(page) },
      body: new URLSearchParams({ username: `user-${index}`, password: PASSWORD }),
    })
    if (signedIn.status !== 302) throw new Error(`Keycloak answered ${signedIn.status} to a sign-in`)
    return cookiesOf(signedIn)
  })
}

/** Asks for codes, in turn for the browsers. */
export async function issueKeycloakCodes(
  origin: string,
  browsers: string[],
  count: number,
): Promise<string[]> {
  return mapConcurrently(Array.from({ length: count }).keys(), async (index) => {
    const Cookie = browsers[index % browsers.length]!
    const response = await fetch(origin + authorizationPath, { redirect: 'manual', headers: { Cookie } })
    const code = URL.parse(response.headers.get('location') ?? '')?.searchParams.get('code')
    if (!code) throw new Error(`Keycloak answered ${response.status} instead of a code`)
    return code
  })
}
