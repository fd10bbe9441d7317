import { basePathOf } from '../contract/documents.ts'
import type { Service } from '../operation.ts'
import type { Bootstrap, BootstrapCitizen, SandboxPartner } from './bootstrap-format.ts'
import { type SandboxCitizen, sandboxCitizens } from './citizens.ts'
import { defaultPartner } from './partner.ts'
import { sandboxTokens } from './tokens.ts'

/** The tokens are valid for 30 days, so a cached one is valid for at least 29 days. */
const CACHE_TTL_MS = 86_400_000

/** `/sandbox/bootstrap.json` as text. Its 15 tokens are signed once a day, not for each request. */
export function bootstrap(service: Service): () => Promise<string> {
  let cached: { text: Promise<string>; untilMs: number } | undefined
  return () => {
    if (cached && Date.now() < cached.untilMs) return cached.text
    const entry = { text: createText(service), untilMs: Date.now() + CACHE_TTL_MS }
    // A failure is not cached.
    entry.text.catch(() => void (cached === entry && (cached = undefined)))
    cached = entry
    return entry.text
  }
}

async function createText(service: Service): Promise<string> {
  const citizens = sandboxCitizens(service.config.publicUrl)
  return JSON.stringify(await describeSandbox(service, defaultPartner(service).partner, citizens))
}

/** The addresses, the partner and the citizens of a sandbox, with tokens of the citizens. */
export async function describeSandbox(
  service: Service,
  partner: SandboxPartner,
  citizens: readonly SandboxCitizen[],
): Promise<Bootstrap> {
  const { publicUrl, operatorUrl } = service.config
  const tokens = sandboxTokens(service)
  return {
    base_url: publicUrl,
    auth_url: publicUrl,
    citizen_url: publicUrl + basePathOf('citizen-app'),
    operator_url: operatorUrl + basePathOf('operator'),
    partner,
    citizens: await Promise.all(citizens.map((citizen) => describeCitizen(service, citizen))),
    operator_token: await tokens.operator(),
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
    behavior: behavior,
    token: await sandboxTokens(service).citizen(profile.uniqid),
  }
}
