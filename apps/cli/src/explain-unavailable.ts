import { TiwalaError } from '@tiwala/transport'

const TIMEOUT_MS = 2_000
/** The names that `/readyz` gives to the parts on which the service depends. */
const PARTS: Record<string, string> = {
  database: 'the database cannot be reached',
  citizen_identity: "the keys of the citizens' identity provider are missing",
  operator_identity: "the keys of the administrators' identity provider are missing",
}

/** After a 503, asks the service which part is away. Empty if it does not say. */
export async function explainUnavailable(error: unknown, operatorUrl: string | undefined): Promise<string> {
  if (!(error instanceof TiwalaError) || error.status !== 503 || !operatorUrl) return ''
  const readiness = await readReadiness(new URL('/readyz', operatorUrl))
  const reasons = Object.entries(PARTS).flatMap(([part, reason]) =>
    readiness[part] === 'unavailable' ? [reason] : [],
  )
  if (readiness['draining'] === true) reasons.push('the process is stopping')
  return reasons.length ? `Why: ${reasons.join('; ')}. On the machine of the service: tiwala doctor.` : ''
}

/** Empty if the response is not from the service. */
async function readReadiness(url: URL): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return (await response.json()) as Record<string, unknown>
  } catch {
    return {}
  }
}
