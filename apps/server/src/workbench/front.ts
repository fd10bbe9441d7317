// What a browser gets at `/workbench` beside the API: the page, and the sign-in of the people of partners.
import { type RequestHandler, Router } from 'express'
import { hasMemberTokens } from '../authentication/identity-tokens.ts'
import { basePathOf, WORKBENCH_SCOPE } from '../contract/documents.ts'
import { Failure } from '../failure.ts'
import { builtPage } from '../http/pages/built-page.ts'
import type { ByteBudget } from '../http/pages/static-response.ts'
import { browserSignIn, type Person } from '../http/sign-in/browser-sign-in.ts'
import { identityProvider, type ProviderSettings } from '../http/sign-in/identity-provider.ts'
import { emailOf, isVerifiedEmail, readEmail } from '../members/member.ts'
import { insertSession } from '../members/session.sql.ts'
import { SESSION_COOKIES } from '../network/cookies.ts'
import type { Service } from '../operation.ts'
import { pathOf } from '../program.ts'

const PATH = '/workbench'
const RESOURCE = basePathOf('workbench')

/** `builtIn`: the identity provider of the sandbox. */
export async function workbenchFront(
  service: Service,
  budget: ByteBudget,
  builtIn: ProviderSettings | undefined,
): Promise<RequestHandler> {
  const { config } = service
  const { issuer, clientId, clientSecret } = config.staffIdentity
  const settings = issuer ? { issuer, clientId, clientSecret } : builtIn
  const router = Router({ strict: true, caseSensitive: true })
  if (settings)
    router.use(
      browserSignIn(service, {
        path: PATH,
        cookie: SESSION_COOKIES.member,
        provider: identityProvider({ ...settings, scope: WORKBENCH_SCOPE }),
        url: config.publicUrl,
        admit: admitMember(service),
      }),
    )
  else
    router.get(`${PATH}/sign-in`, () => {
      throw new Failure('not_found', {
        message: 'This service has no sign-in for the workbench (TIWALA_STAFF_ISSUER)',
      })
    })
  // How a program of a member gets its tokens (RFC 9728).
  if (hasMemberTokens(config))
    router.get(`/.well-known/oauth-protected-resource${RESOURCE}`, (_req, res) => {
      res.json({
        resource: config.publicUrl + RESOURCE,
        authorization_servers: issuer ? [issuer] : [],
        bearer_methods_supported: ['header'],
      })
    })
  router.use(await builtPage(PATH, pathOf('workbench'), budget))
  return router
}

/** Starts the session of a member, or says why the person gets none. */
const admitMember =
  ({ db, keys, config }: Service) =>
  async (sessionId: string, { subject, claims, choice, requestId }: Person): Promise<string | undefined> => {
    const { emailClaim } = config.staffIdentity
    const memberId = await insertSession(db, {
      hmac: keys.hmac('session', sessionId),
      subject,
      // Only the first sign-in needs it. No invitation is for an empty address.
      email: emailOf(claims, emailClaim),
      partnerCode: choice,
      hours: config.sessions.hours,
      requestId,
    })
    if (memberId) return undefined
    if (readEmail(claims, emailClaim) === undefined)
      return `The identity provider does not send your email address (${emailClaim}). Its administrator can add this claim.`
    if (!isVerifiedEmail(claims, emailClaim))
      return 'The identity provider has not verified your email address. Verify it there, and sign in again.'
    return 'You are not a member of an active partner. Ask an admin of your organization to invite you.'
  }
