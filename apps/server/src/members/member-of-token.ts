// The member of an access token of the identity provider of partner staff. Each request reads the member and the partner,
// so that a token stops working at once with either of them.
import type { JWTPayload } from 'jose'
import { Failure } from '../failure.ts'
import type { AuthenticatedMember, Service } from '../operation.ts'
import { emailOf } from './member.ts'
import { bindInvitation, findMembersOfPerson } from './session.sql.ts'

type Choice = { partnerCode: string | undefined; requestId: string }

/**
 * As a sign-in does, the first token binds the invitation of the email address to the subject. A person who is a member already
 * names the partner to take up another invitation.
 */
export async function memberOfToken(
  { db, config }: Service,
  token: JWTPayload,
  { partnerCode, requestId }: Choice,
): Promise<AuthenticatedMember> {
  const subject = `${token.iss} ${token.sub}`
  const email = emailOf(token, config.staffIdentity.emailClaim)
  const all = await findMembersOfPerson(db, { subject, email, partnerCode })
  const bound = all.filter(({ isBound }) => isBound)
  // Otherwise, any partner could end the access of a member by an invitation.
  const members = bound.length > 0 ? bound : all
  const [found] = members
  if (!found) throw notMember()
  if (members.length > 1)
    throw new Failure('validation_failed', {
      errors: { 'X-Partner-Code': [`is required: ${members.map((each) => each.partnerCode).join(', ')}`] },
    })
  const { isBound, ...member } = found
  if (!isBound && !(await bindInvitation(db, { memberId: member.memberId, subject, requestId })))
    throw notMember()
  return { ...member, sessionHmac: null, expiresAt: new Date(token.exp! * 1_000) }
}

const notMember = () =>
  new Failure('token_invalid', { message: 'You are not a member of an active partner', reason: 'member' })
