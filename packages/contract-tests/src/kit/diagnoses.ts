import type { Schemas } from '@tiwala/contract'
import { type Partner, refusal } from './test-service.ts'

export type Diagnosis = Schemas['Diagnosis']

/** The diagnosis of a refused request, read by its partner. */
export async function diagnosisOf(partner: Partner, request: Promise<unknown>): Promise<Diagnosis> {
  const { requestId } = await refusal(request)
  return partner.profiles.diagnose(requestId!)
}

export const failedCheckOf = ({ checks }: Diagnosis) => {
  const { check, detail } = checks.find(({ outcome }) => outcome === 'failed')!
  return { check, detail }
}

/** The check that failed, and the reason. */
export const findFailedCheck = async (partner: Partner, request: Promise<unknown>) =>
  failedCheckOf(await diagnosisOf(partner, request))
