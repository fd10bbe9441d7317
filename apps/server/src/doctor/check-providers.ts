import { createKeySet } from '../authentication/key-set.ts'
import type { Config } from '../config.ts'
import { CONSOLE_SCOPE, WORKBENCH_SCOPE } from '../contract/documents.ts'
import { reasonOf } from '../describe-error.ts'
import { discover, type ProviderSettings } from '../http/sign-in/identity-provider.ts'
import { type Finding, problem, note, ok } from './finding.ts'

/** Fetches the keys of the identity providers, as the service does. */
export const checkProviders = ({
  citizenIdentity,
  operatorIdentity,
  staffIdentity,
  console,
}: Config): Promise<Finding[]> =>
  Promise.all([
    checkProvider('citizen identity', 'TIWALA_CITIZEN_JWKS_URL', citizenIdentity.jwksUrl),
    checkProvider('operator identity', 'TIWALA_OPERATOR_JWKS_URL', operatorIdentity.jwksUrl),
    ...(staffIdentity.jwksUrl
      ? [checkProvider('staff identity', 'TIWALA_STAFF_JWKS_URL', staffIdentity.jwksUrl)]
      : []),
    ...(operatorIdentity.issuer && console.clientId
      ? [checkSignIn('console sign-in', { ...console, ...operatorIdentity }, console.scope ?? CONSOLE_SCOPE)]
      : []),
    ...(staffIdentity.issuer ? [checkSignIn('workbench sign-in', staffIdentity, WORKBENCH_SCOPE)] : []),
  ])

type SignIn = Pick<ProviderSettings, 'clientSecret'> & Record<'issuer' | 'clientId', string | undefined>

/** Reads the discovery document, as a sign-in in a browser does. */
async function checkSignIn(
  about: string,
  { issuer, clientId, clientSecret }: SignIn,
  scope: string,
): Promise<Finding> {
  try {
    const provider = await discover({ issuer: issuer!, clientId: clientId!, clientSecret })
    const { scopes_supported: known, issuer: named } = provider.serverMetadata()
    // A browser's sign-in compares URLs, so it works. The issuer of a token is compared as text.
    if (named !== issuer)
      return problem(
        about,
        `${issuer} calls itself ${named}. Set the issuer to exactly this text, or every token is refused.`,
      )
    const missing = known ? scope.split(' ').filter((name) => !known.includes(name)) : []
    if (!missing.length) return ok(about, `at ${issuer}`)
    return note(
      about,
      `at ${issuer}, whose discovery document does not name the scopes ${missing.join(' ')}. If it refuses a sign-in ` +
        'with invalid_scope, add them there.',
    )
  } catch (error) {
    const reason = reasonOf(error)
    const advice =
      adviceOnCertificate(reason) ||
      'It must be at .well-known/openid-configuration below the issuer, and name this issuer.'
    return problem(about, `no discovery document of ${issuer} (${reason}). ${advice}`)
  }
}

async function checkProvider(about: string, setting: string, url: string | undefined): Promise<Finding> {
  if (!url) return note(about, 'the sandbox signs its own tokens')
  let failure: string | undefined
  const keySet = createKeySet({ url, keptMs: 60_000, onFetched: ({ reason }) => (failure = reason) })
  await keySet.refreshIfDue()
  if (failure === undefined) return ok(about, `keys at ${new URL(url).host}`)
  const advice =
    adviceOnCertificate(failure) ||
    `Check ${setting}, and whether this machine may connect there (through a proxy only with ` +
      'NODE_USE_ENV_PROXY=1). While there are no keys, tokens of this provider get 503.'
  return problem(about, `no keys at ${new URL(url).host} (${failure}). ${advice}`)
}

const adviceOnCertificate = (reason: string): string =>
  /CERT|VERIFY/.test(reason)
    ? 'If a private authority signed its certificate, start the service and the doctor with ' +
      'NODE_EXTRA_CA_CERTS=<file> in their environment, not in the file of settings.'
    : ''
