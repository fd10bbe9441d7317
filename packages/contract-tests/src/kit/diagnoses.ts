import type { Schemas } from '@tiwala/contract'
import { type Partner, refusal } from './test-service.ts'

export type Diagnosis = Schemas['Diagnosis']

/** Why a call was refused, as its partner is told. */
export async function diagnosisOf(partner: Partner, call: Promise<unknown>): Promise<Diagnosis> {
  const { requestId } = await refusal(call)
  return partner.profiles.diagnose(requestId!)
}

export const failedCheckOf = ({ checks }: Diagnosis) => {
  const { check, detail } = checks.find(({ outcome }) => outcome === 'failed')!
  return { check, detail }
}

/** The check that failed, and why. */
export const findFailedCheck = async (partner: Partner, call: Promise<unknown>) => failedCheckOf(await diagnosisOf(partner, call))
