import type { Schemas } from '@tiwala/contract'
import { Failure } from '../failure.ts'
import { SHARED_PARTNER_CODE } from '../partners/partner.ts'

export type MemberRole = Schemas['MemberRole']

/** In this order, each role may do all that the one before it may. */
const ROLES: readonly MemberRole[] = ['viewer', 'developer', 'admin']

export const isAtLeast = (role: MemberRole, needed: MemberRole): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(needed)

export type MemberRow = {
  member_id: string
  email: string
  role: MemberRole
  invited_at: Date
  signed_in_at: Date | null
  removed_at: Date | null
}

export const toMember = (row: MemberRow): Schemas['Member'] => ({
  member_id: row.member_id,
  email: row.email,
  role: row.role,
  status: row.removed_at ? 'REMOVED' : row.signed_in_at ? 'ACTIVE' : 'INVITED',
  invited_at: row.invited_at.toISOString(),
  signed_in_at: row.signed_in_at?.toISOString() ?? null,
})

/** Two spellings of an address are one person. */
export const normalizeEmail = (email: string) => email.toLowerCase()

type Claims = Record<string, unknown>

/** The text of the claim, or of a list with one text, as some providers send it. */
export function readEmail(claims: Claims, emailClaim: string): string | undefined {
  const [email, ...others] = [claims[emailClaim]].flat()
  return typeof email === 'string' && others.length === 0 ? email : undefined
}

/** Whether the identity provider vouches for the address in this claim. Some providers send `true` as a text. */
export const isVerifiedEmail = (claims: Claims, emailClaim: string): boolean =>
  emailClaim !== 'email' || claims['email_verified'] === true || claims['email_verified'] === 'true'

/** The address by which an invitation finds its person. Empty, which no invitation has, if nothing vouches for one. */
export function emailOf(claims: Claims, emailClaim: string): string {
  const email = readEmail(claims, emailClaim)
  // No invitation has other letters, and the small letter of some is ASCII: that of the Kelvin sign is k.
  if (email === undefined || !/^[!-~]+$/.test(email)) return ''
  return isVerifiedEmail(claims, emailClaim) ? normalizeEmail(email) : ''
}

/** The domain of the people of a partner of a sandbox. */
export const sandboxDomainOf = (partnerCode: string) =>
  `${partnerCode.toLowerCase().replaceAll('_', '-')}.example`

const SANDBOX_DOMAIN = new RegExp(`@${SHARED_PARTNER_CODE.toLowerCase()}(-[0-9a-f]+)?\\.example$`)

/** Whether the address is of a person of a sandbox that is not the partner's own. */
export const isOfOtherSandbox = (email: string, partnerCode: string) =>
  SANDBOX_DOMAIN.test(email) && !email.endsWith(`@${sandboxDomainOf(partnerCode)}`)

export const unknownMember = () =>
  new Failure('not_found', { message: 'The partner has no member with this member_id' })

/** A partner without an administrator could not invite one. */
export const refuseOwnMembership = () =>
  new Failure('validation_failed', {
    errors: { member_id: ['is you. Another administrator can change your membership'] },
  })

export const refuseOtherSandbox = () =>
  new Failure('validation_failed', { errors: { email: ['is of a person of another sandbox'] } })

export const memberExists = () => new Failure('member_exists', { errors: { email: ['is a member already'] } })
