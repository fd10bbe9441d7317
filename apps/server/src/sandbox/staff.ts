// The identity provider of the people of the sandbox's partners.
//
// A person has an address below the domain of the partner, which no other sandbox has. The page of the provider has no
// person with any other address: otherwise a visitor could invite an address of another sandbox, and sign in there.
import { randomUUID } from 'node:crypto'
import { SANDBOX_STAFF_ISSUER } from '../authentication/identity-tokens.ts'
import { Failure } from '../failure.ts'
import { findMembers, type NewMember } from '../members/member.sql.ts'
import { type MemberRole, sandboxDomainOf } from '../members/member.ts'
import type { Service } from '../operation.ts'
import { mintMemberId } from '../secrets/tokens.ts'
import { sandboxProvider } from './provider.ts'
import { DEFAULT_ID, findSandbox, type Sandbox } from './sandboxes.sql.ts'

const STAFF: readonly MemberRole[] = ['admin', 'developer', 'viewer']

/** The administrator of a sandbox's partner. */
export const adminOf = (partnerCode: string) => `admin@${sandboxDomainOf(partnerCode)}`

/** The people of a sandbox, one for each role. */
export const staffOf = (partnerId: number, partnerCode: string): NewMember[] =>
  STAFF.map((role) => ({
    partnerId,
    memberId: mintMemberId(),
    email: `${role}@${sandboxDomainOf(partnerCode)}`,
    role,
  }))

export function sandboxStaff(service: Service) {
  const { db, config } = service

  /** A server that others can reach shows the default sandbox to every visitor, who must not disturb the others. */
  const isShown = ({ sandbox_id }: Sandbox, role: MemberRole) =>
    sandbox_id !== DEFAULT_ID || config.isLocalSandbox || role === 'viewer'

  return sandboxProvider(service, {
    path: '/sandbox/staff',
    issuer: SANDBOX_STAFF_ISSUER,
    clientId: 'tiwala-workbench',
    origins: [config.publicUrl],
    signInPath: '/workbench',
    lead: `This page stands for the identity provider of the partner's staff. These people exist only in the
      sandbox.`,
    findPeople: async (sandboxId = DEFAULT_ID) => {
      const sandbox = await findSandbox(db, sandboxId)
      if (!sandbox) throw new Failure('not_found', { message: 'This sandbox has ended.' })
      const members = await findMembers(db, sandbox.partner_id, { isComplete: false })
      const domain = `@${sandboxDomainOf(sandbox.partner_code)}`
      return members
        .filter(({ email, role }) => email.endsWith(domain) && isShown(sandbox, role))
        .map(({ email, role }) => ({ email, what: role }))
    },
    accessTokenOf: async () => randomUUID(),
  })
}
