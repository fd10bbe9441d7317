import { createKeySet } from '../authentication/key-set.ts'
import type { Config } from '../config.ts'
import { type Finding, problem, note, ok } from './finding.ts'

/** Fetches the keys of the identity providers, as the service does. */
export const checkProviders = ({
  citizenIdentity,
  operatorIdentity,
  staffIdentity,
}: Config): Promise<Finding[]> =>
  Promise.all([
    checkProvider('citizen identity', 'TIWALA_CITIZEN_JWKS_URL', citizenIdentity.jwksUrl),
    checkProvider('operator identity', 'TIWALA_OPERATOR_JWKS_URL', operatorIdentity.jwksUrl),
    ...(staffIdentity.jwksUrl
      ? [checkProvider('staff identity', 'TIWALA_STAFF_JWKS_URL', staffIdentity.jwksUrl)]
      : []),
  ])

async function checkProvider(about: string, setting: string, url: string | undefined): Promise<Finding> {
  if (!url) return note(about, 'the sandbox signs its own tokens')
  let failure: string | undefined
  const keySet = createKeySet({ url, keptMs: 60_000, onFetched: ({ reason }) => (failure = reason) })
  await keySet.refreshIfDue()
  if (failure === undefined) return ok(about, `keys at ${new URL(url).host}`)
  if (/CERT|VERIFY/.test(failure))
    return problem(
      about,
      `no keys at ${new URL(url).host} (${failure}). If a private authority signed its certificate, start the service and ` +
        'the doctor with NODE_EXTRA_CA_CERTS=<file>.',
    )
  return problem(
    about,
    `no keys at ${new URL(url).host} (${failure}). Check ${setting}, and whether ` +
      'this machine may connect there (through a proxy only with NODE_USE_ENV_PROXY=1). While there are no ' +
      'keys, tokens of this provider get 503.',
  )
}
