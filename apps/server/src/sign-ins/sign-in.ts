import type { Schemas } from '@tiwala/contract'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import { returnNonce } from './code.ts'
import { findOfCitizen, type SignInRow } from './sign-in.sql.ts'

/** Where the protocol of OpenID Connect, and the pages of its sign-in, are. */
export const OIDC_PATH = '/oidc'
export const pagePath = (interactionUid: string) => `${OIDC_PATH}/sign-in/${interactionUid}`

/** A request that is unknown, stale or of another citizen gets the same response. */
export const signInNotFound = () =>
  new Failure('not_found', {
    message: 'You have no such sign-in request. Scan the code that the screen shows now.',
  })

export async function readOwnSignIn(
  { db, config }: Service,
  uniqidHmacs: string[],
  id: string,
): Promise<SignInRow> {
  const row = await findOfCitizen(db, uniqidHmacs, id, config.acrValues)
  if (!row) throw signInNotFound()
  return row
}

export const toSignInRequest = ({ keys, config }: Service, row: SignInRow): Schemas['SignInRequest'] => ({
  sign_in_id: row.id,
  state: row.state,
  partner: { partner_code: row.partner_code, name: row.name, purpose: row.text },
  items: [
    ...row.items.map((item) => ({ item, is_required: true })),
    ...row.optional_items.map((item) => ({ item, is_required: false })),
  ],
  device: row.is_same_device ? 'same' : 'other',
  comparison: row.comparison,
  minimum_acr: row.minimum_acr,
  requested_at: row.requested_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  answered_at: row.answered_at?.toISOString() ?? null,
  return_url:
    row.is_same_device && row.state === 'APPROVED'
      ? `${config.publicUrl}${pagePath(row.interaction_uid)}/return?nonce=${returnNonce(keys, row.id)}`
      : null,
})
