// What a browser gets at `/console` beside the API: the page, and the sign-in of administrators. Their identity provider
// must send an access token that the operator API accepts: the session has its subject and its scopes, and nothing else.
import { type RequestHandler, Router } from 'express'
import { type Identities, isNameOfPerson, scopesOf } from '../authentication/identity-tokens.ts'
import { CONSOLE_SCOPE, OPERATOR_SCOPES } from '../contract/documents.ts'
import { Failure } from '../failure.ts'
import { builtPage } from '../http/pages/built-page.ts'
import type { ByteBudget } from '../http/pages/static-response.ts'
import { browserSignIn, type Person } from '../http/sign-in/browser-sign-in.ts'
import { identityProvider, type ProviderSettings } from '../http/sign-in/identity-provider.ts'
import { SESSION_COOKIES } from '../network/cookies.ts'
import type { Service } from '../operation.ts'
import { insertOperatorSession } from '../operators/session.sql.ts'
import { pathOf } from '../program.ts'
import { mintSessionId } from '../secrets/tokens.ts'

const CONSOLE_PATH = '/console'

/** `builtIn`: the identity provider of the sandbox. */
export async function consoleFront(
  service: Service,
  identities: Identities,
  budget: ByteBudget,
  builtIn: ProviderSettings | undefined,
): Promise<RequestHandler> {
  const { operatorIdentity, console } = service.config
  const settings =
    operatorIdentity.issuer && console.clientId
      ? { ...console, clientId: console.clientId, issuer: operatorIdentity.issuer }
      : builtIn
  const router = Router({ strict: true, caseSensitive: true })
  if (settings)
    router.use(
      browserSignIn(service, {
        path: CONSOLE_PATH,
        cookie: SESSION_COOKIES.operator,
        provider: identityProvider({
          ...settings,
          scope: console.scope ?? CONSOLE_SCOPE,
        }),
        url: console.url,
        admit: admitOperator(service, identities),
      }),
    )
  else
    router.get(`${CONSOLE_PATH}/sign-in`, () => {
      throw new Failure('not_found', {
        message: 'This service has no sign-in for the console (TIWALA_CONSOLE_CLIENT_ID)',
      })
    })
  router.use(await builtPage(CONSOLE_PATH, pathOf('console'), budget))
  return router
}

/** Starts the session of an administrator, or says why the person gets none. */
const admitOperator =
  ({ db, keys, config }: Service, { verifyOperator }: Identities) =>
  async (id: string, { accessToken, claims, requestId }: Person): Promise<string | undefined> => {
    const token = await verifyOperator(`Bearer ${accessToken}`).catch((error: unknown) => {
      if (error instanceof Failure && error.code !== 'unavailable') return error
      throw error
    })
    if (token instanceof Failure)
      return (
        'The access token of the identity provider is not valid for the operator API ' +
        `(${token.reason ?? token.code}). What it needs is in OPERATIONS.md, "Connect the identity providers".`
      )
    const granted = scopesOf(token)
    const scopes = OPERATOR_SCOPES.filter((scope) => granted.includes(scope))
    if (scopes.length === 0)
      return (
        'The identity provider has given you no scope of the operator API. Ask its administrator for one, such as ' +
        'partners:read.'
      )
    await insertOperatorSession(db, {
      hmac: keys.hmac('operator_session', id),
      sessionId: mintSessionId(),
      subject: token.sub!,
      name: nameOf(claims),
      scopes,
      hours: config.sessions.hours,
      requestId,
    })
    return undefined
  }

/** Only shown to people. */
function nameOf({ email, preferred_username }: Record<string, unknown>): string | null {
  const name = email ?? preferred_username
  return isNameOfPerson(name) ? name : null
}
