import type { Request } from 'express'
import { basePathOf } from '../contract/documents.ts'
import type { Service } from '../operation.ts'
import type { Bootstrap, BootstrapCitizen, SandboxPartner, SandboxTokens } from './bootstrap-format.ts'
import { type SandboxCitizen, sandboxCitizens } from './citizens.ts'
import { defaultPartner } from './partner.ts'
import { adminOf } from './staff.ts'
import { sandboxTokens } from './tokens.ts'

type Members = Pick<Bootstrap, 'partner' | 'citizens' | 'operator_token' | 'member_token'>
type Addresses = Omit<Bootstrap, keyof Members>
type Visit = Pick<Request, 'secure' | 'get'>

/** The tokens are valid for 30 days, so a cached one is valid for at least 29 days. */
const CACHE_TTL_MS = 86_400_000

/** `/sandbox/bootstrap.json`. Its 15 tokens are signed once a day, not for each request. */
export function bootstrap(service: Service): (visitorUrl: string) => Promise<Bootstrap> {
  let cached: { members: Promise<Members>; untilMs: number } | undefined
  const describe = async (): Promise<Members> => {
    const { partner } = defaultPartner(service)
    const tokens = sandboxTokens(service)
    return {
      ...(await describeMembers(service, partner, sandboxCitizens(service.config.publicUrl))),
      ...(service.config.isLocalSandbox && {
        operator_token: await tokens.operator(),
        member_token: await tokens.member(adminOf(partner.partner_code)),
      }),
    }
  }
  const readMembers = () => {
    if (cached && Date.now() < cached.untilMs) return cached.members
    const members = describe()
    const entry = { members, untilMs: Date.now() + CACHE_TTL_MS }
    // A failure is not cached.
    members.catch(() => void (cached === entry && (cached = undefined)))
    cached = entry
    return members
  }
  return async (visitorUrl) => ({ ...addressesOf(service, visitorUrl), ...(await readMembers()) })
}

/**
 * The URL by which a visitor reached the sandbox: that of `TIWALA_PUBLIC_URL`, if set, otherwise the visitor's own.
 * The routes have refused the name of another site.
 */
export function visitorUrlOf({ publicUrl, hasPublicUrl }: Service['config'], req: Visit): string {
  const url = URL.parse(`${req.secure ? 'https' : 'http'}://${req.get('host')}`)
  return hasPublicUrl || !url ? publicUrl : url.origin
}

/** The addresses, the partner and the citizens of a visitor's sandbox, with tokens of the citizens. */
export async function describeOwnSandbox(
  service: Service,
  visitorUrl: string,
  partner: SandboxPartner,
  citizens: readonly SandboxCitizen[],
): Promise<Bootstrap & SandboxTokens> {
  return {
    ...addressesOf(service, visitorUrl),
    ...(await describeMembers(service, partner, citizens)),
    operator_token: await sandboxTokens(service).operatorOf(partner.partner_code),
    member_token: await sandboxTokens(service).member(adminOf(partner.partner_code)),
  }
}

function addressesOf({ config: { publicUrl, operatorUrl } }: Service, visitorUrl: string): Addresses {
  return {
    base_url: visitorUrl,
    auth_url: visitorUrl,
    citizen_url: visitorUrl + basePathOf('citizen-app'),
    operator_url: (operatorUrl === publicUrl ? visitorUrl : operatorUrl) + basePathOf('operator'),
  }
}

async function describeMembers(
  service: Service,
  partner: SandboxPartner,
  citizens: readonly SandboxCitizen[],
): Promise<Members> {
  return {
    partner,
    citizens: await Promise.all(citizens.map((citizen) => describeCitizen(service, citizen))),
  }
}

export async function describeCitizen(
  service: Service,
  { behavior, profile }: SandboxCitizen,
): Promise<BootstrapCitizen> {
  return {
    uniqid: profile.uniqid,
    name: [profile.first_name, profile.middle_name, profile.last_name, profile.suffix]
      .filter(Boolean)
      .join(' '),
    behavior,
    token: await sandboxTokens(service).citizen(profile.uniqid),
  }
}
