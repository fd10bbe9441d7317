import type { Connection } from './connection.ts'
import type { Outcome, SignInJob } from './job.ts'
import { createMeter } from './latency-meter.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export async function signInLoop(connections: Connection[], { items, warmUp, token, profile }: SignInJob): Promise<Outcome> {
  const meter = createMeter()
  const tokens: string[] = []
  let sample: unknown
  let next = 0

  async function work({ exchange }: Connection): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      if (index >= warmUp) meter.begin()
      const sinceUs = meter.nowUs()
      let accessToken = items[index]!
      if (token) {
        const body = String(new URLSearchParams({ ...token.form, [token.codeField]: accessToken }))
        const answer = await exchange({ method: 'POST', path: token.path, headers: FORM, body })
        accessToken = (JSON.parse(answer.toString()) as { access_token: string }).access_token
      }
      if (profile) {
        const answer = await exchange({ ...profile, headers: { authorization: `Bearer ${accessToken}` } })
        sample ??= JSON.parse(answer.toString())
      } else tokens.push(accessToken)
      meter.note(sinceUs)
    }
  }

  await Promise.all(connections.map(work))
  return { ...meter.outcome(), sample, tokens }
}
