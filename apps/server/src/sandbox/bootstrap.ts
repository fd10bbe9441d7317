import { basePathOf } from '../contract/documents.ts'
import type { Service } from '../operation.ts'
import { sandboxCitizens } from './citizens.ts'
import { sandboxPartner } from './partner.ts'
import { sandboxTokens } from './tokens.ts'

/** The tokens live 30 days, so that they are good for at least 29 more when they are read. */
const KEPT_MS = 86_400_000

/** `/sandbox/bootstrap.json` as text. Its 15 signatures are made once a day, not for each request. */
export function bootstrap(service: Service): () => Promise<string> {
  let kept: { text: Promise<string>; untilMs: number } | undefined
  return () => {
    if (kept && Date.now() < kept.untilMs) return kept.text
    const made = { text: write(service), untilMs: Date.now() + KEPT_MS }
    // A failure is not kept.
    made.text.catch(() => void (kept === made && (kept = undefined)))
    kept = made
    return made.text
  }
}

async function write(service: Service): Promise<string> {
  const { publicUrl, operatorUrl } = service.config
  const tokens = sandboxTokens(service)
  const citizens = sandboxCitizens(publicUrl).map(async ({ behaviour, profile }) => ({
    uniqid: profile.uniqid,
    name: [profile.first_name, profile.middle_name, profile.last_name, profile.suffix].filter(Boolean).join(' '),
    behaviour,
    token: await tokens.citizen(profile.uniqid),
  }))
  return JSON.stringify({
    base_url: publicUrl,
    auth_url: publicUrl,
    citizen_url: publicUrl + basePathOf('citizen-app'),
    operator_url: operatorUrl + basePathOf('operator'),
    partner: sandboxPartner(service),
    citizens: await Promise.all(citizens),
    operator_token: await tokens.operator(),
  })
}
