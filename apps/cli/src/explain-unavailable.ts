import { TiwalaError } from '@tiwala/transport'
import { readReadiness } from './read-readiness.ts'

/** The names that `/readyz` gives to the parts on which the service depends. */
const PARTS: Record<string, string> = {
  database: 'the database cannot be reached',
  citizen_identity: "the keys of the citizens' identity provider are missing",
  operator_identity: "the keys of the administrators' identity provider are missing",
}

/** After a 503, asks the service which part is away. Empty if it does not say. */
export async function explainUnavailable(error: unknown, operatorUrl: string | undefined): Promise<string> {
  if (!(error instanceof TiwalaError) || error.status !== 503 || !operatorUrl) return ''
  const readiness = await readReadiness(operatorUrl)
  const reasons = Object.entries(PARTS).flatMap(([part, reason]) =>
    readiness[part] === 'unavailable' ? [reason] : [],
  )
  if (readiness['draining'] === true) reasons.push('the process is stopping')
  return reasons.length ? `Why: ${reasons.join('; ')}. On the machine of the service: tiwala doctor.` : ''
}
