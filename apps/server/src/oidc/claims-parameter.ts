// The parameter `claims` of an authorization request (OpenID Connect Core, section 5.5).
import type { errors as Errors } from 'oidc-provider'

export type Params = Record<string, unknown>
type Claim = { essential?: unknown; value?: unknown; values?: unknown[] } | null
type ClaimsRequest = Record<string, Record<string, Claim>>

/** Empty: the parameter is missing. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const claimsOfParams = ({ claims }: Params): ClaimsRequest =>
  typeof claims === 'string' ? (JSON.parse(claims) as ClaimsRequest) : ((claims ?? {}) as ClaimsRequest)

const isWellFormed = (claim: unknown): boolean =>
  claim === null ||
  (typeof claim === 'object' &&
    !Array.isArray(claim) &&
    (!('values' in claim) || Array.isArray(claim.values)))

const valuesOf = (claim: Claim | undefined): unknown[] => [
  ...(claim && 'value' in claim ? [claim.value] : []),
  ...(claim?.values ?? []),
]

/** The values of an essential claim `acr`. Without values, the claim asks for no certain one. */
const essentialAcrs = (claims: ClaimsRequest): unknown[] => {
  const acr = claims['id_token']?.['acr']
  return acr?.essential === true ? valuesOf(acr) : []
}

/** The values of `acr`, of which each is enough. Those of an essential claim count alone: it is no mere wish. */
export function requestedAcrs(params: Params): unknown[] {
  const claims = claimsOfParams(params)
  const essential = essentialAcrs(claims)
  if (essential.length > 0) return essential
  return [...textOf(params['acr_values']).split(' '), ...valuesOf(claims['id_token']?.['acr'])]
}

/** Refuses what the library lets through. It has checked that `id_token` and `userinfo` are objects. */
export const createAssertClaims =
  (errors: typeof Errors, levels: string[]) => (_ctx: unknown, claims: object) => {
    const request = claims as ClaimsRequest
    for (const name of ['id_token', 'userinfo'])
      if (!Object.values(request[name] ?? {}).every(isWellFormed))
        throw new errors.InvalidRequest(
          `each member of claims.${name} must be null or an object, and its values a list`,
        )
    const acrs = essentialAcrs(request)
    // Section 5.5.1.1: a request that cannot be met fails.
    if (acrs.length > 0 && !levels.some((level) => acrs.includes(level)))
      throw new errors.UnmetAuthenticationRequirements('no value of the essential claim acr is known')
  }
