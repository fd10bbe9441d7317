import type { Schemas } from '@tiwala/contract'
import { vi } from 'vitest'
import { refusal } from './test-service.ts'
import type { Partner } from './users.ts'

export type Diagnosis = Schemas['Diagnosis']

/** The diagnosis of a refusal, read by its partner. On a busy machine it is stored late. */
export const diagnose = ({ profiles }: Pick<Partner, 'profiles'>, requestId: string): Promise<Diagnosis> =>
  vi.waitFor(() => profiles.diagnose(requestId), { timeout: 30_000, interval: 50 })

/** The diagnosis of a refused request. */
export async function diagnosisOf(partner: Partner, request: Promise<unknown>): Promise<Diagnosis> {
  const { requestId } = await refusal(request)
  return diagnose(partner, requestId!)
}

export const failedCheckOf = ({ checks }: Diagnosis) => {
  const { check, detail } = checks.find(({ outcome }) => outcome === 'failed')!
  return { check, detail }
}

/** The check that failed, and the reason. */
export const findFailedCheck = async (partner: Partner, request: Promise<unknown>) =>
  failedCheckOf(await diagnosisOf(partner, request))
