import type { Body, Schemas } from '@tiwala/contract'
import type { Partner, Users } from './users.ts'

export const DAY_SECONDS = 86_400

/** Each kind of secret: the function that sends it, and the status for a right and a wrong one. */
export const CREDENTIAL_KINDS = [
  { kind: 'secret_token', attempt: 'tryToken', right: 404, wrong: 401 },
  { kind: 'partner_secret', attempt: 'trySecret', right: 422, wrong: 403 },
] as const

/**
 * The operations of the operator on the secrets of a partner, and requests that test whether a secret
 * works.
 */
export function createCredentialClient(service: Users) {
  const pathOf = ({ code }: Partner) => ({ partner_code: code })
  const list = async (partner: Partner) =>
    (await service.operator('listCredentials', { path: pathOf(partner) })).body.credentials

  return {
    list,
    rotate: async (partner: Partner, grace_days: number, kind: Schemas['CredentialKind'] = 'secret_token') =>
      (await service.operator('rotateCredential', { path: pathOf(partner), body: { kind, grace_days } }))
        .body,
    revoke: async (partner: Partner, credential_id: string) =>
      (await service.operator('revokeCredential', { path: { ...pathOf(partner), credential_id } })).body,
    statusesOf: async (partner: Partner, kind: Schemas['CredentialKind'] = 'secret_token') =>
      (await list(partner)).filter((credential) => credential.kind === kind).map(({ status }) => status),
    /** 404: the secret is right, and the record is unknown. 401: the secret is wrong. */
    tryToken: async ({ headers }: Partner, secretToken: string) =>
      (
        await service.send('inquire', {
          headers: { ...headers, 'X-Secret-Token': secretToken },
          query: 'tracking_no=unknown',
        })
      ).status,
    /** 422: the secret is right, and the code is wrong. 403: the secret is wrong. */
    trySecret: async ({ code }: Partner, partner_secret: string) => {
      const body: Body<'generateToken'> = {
        partner_code: code,
        partner_secret,
        scope: 'SSO_AUTHENTICATION',
        exchange_code: 'unknown',
      }
      return (
        await service.send('generateToken', {
          body: JSON.stringify(body),
          headers: { 'Content-Type': 'application/json' },
        })
      ).status
    },
  }
}
