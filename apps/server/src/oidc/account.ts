import type { Account, errors as Errors, FindAccount, KoaContextWithOIDC } from 'oidc-provider'
import { decryptCitizen } from '../citizens/citizen-encryption.ts'
import type { Service } from '../operation.ts'
import {
  type DisclosedCitizen,
  discloseSignIn,
  discloseUserinfo,
  findWithheldReason,
} from '../sign-ins/disclose-sign-in.sql.ts'
import { claimsOf } from '../sign-ins/items.ts'
import { exchangeOf, findingsOf } from './refusals.ts'
import { grantHmacs } from './state-adapter.ts'

type Token = { kind: string; grantId?: string | undefined; clientId?: string | undefined }

/**
 * The citizen of a code or an access token. The library asks for the claims last, when it has checked everything of the
 * protocol. The statement that discloses runs then, and its rows are all that the ID token and userinfo contain.
 */
export function createFindAccount(
  service: Service,
  errors: typeof Errors,
  countRequest: (ctx: KoaContextWithOIDC) => Promise<void>,
): FindAccount {
  const { db, keys, config } = service

  const disclosureOf = (ctx: KoaContextWithOIDC, token: Token) => ({
    grantHmacs: grantHmacs(keys, token.grantId ?? ''),
    partnerCode: token.clientId ?? '',
    levels: config.acrValues,
    requestId: exchangeOf(ctx.req).requestId,
  })

  const read = async (
    ctx: KoaContextWithOIDC,
    use: string,
    token: Token,
  ): Promise<DisclosedCitizen | undefined> => {
    const disclosure = disclosureOf(ctx, token)
    if (use === 'id_token' && token.kind === 'AuthorizationCode')
      return discloseSignIn(db, { ...disclosure, credentialId: findingsOf(ctx.req).credentialId })
    if (use === 'userinfo' && token.kind === 'AccessToken') return discloseUserinfo(db, disclosure)
    return undefined
  }

  /** For the diagnosis. The response is the same for each reason. */
  const explain = async (ctx: KoaContextWithOIDC, use: string, token: Token): Promise<void> => {
    const reason = await findWithheldReason(db, disclosureOf(ctx, token))
    findingsOf(ctx.req).cause =
      reason && !reason.is_granted
        ? { check: 'scope', detail: 'an item that the citizen shared is no longer granted for the purpose' }
        : reason && !reason.is_assured
          ? { check: 'assurance', detail: 'the purpose needs more than how the citizen was authenticated' }
          : use === 'userinfo'
            ? { check: 'access_token', detail: 'unknown, or not usable' }
            : { check: 'authorization_code', detail: 'unknown, or not usable' }
  }

  return async (ctx, sub, token): Promise<Account> => {
    if (ctx.oidc.route === 'userinfo') await countRequest(ctx)
    return {
      accountId: sub,
      claims: async (use) => {
        const citizen = token && (await read(ctx, use, token))
        if (citizen?.subject !== sub) {
          if (token) await explain(ctx, use, token)
          throw use === 'userinfo'
            ? new errors.InvalidToken('the sign-in has ended')
            : new errors.InvalidGrant('the sign-in has ended')
        }
        return { sub, ...claimsOf(decryptCitizen(keys, citizen), citizen.shared_items) }
      },
    }
  }
}
