import type { Connection } from './connection.ts'
import type { LoadResult, SignInJob } from './job.ts'
import { createLatencyMeter } from './latency-meter.ts'

const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' }

export async function signInLoop(connections: Connection[], job: SignInJob): Promise<LoadResult> {
  const { items, warmUpItems, tokenStep, profileStep } = job
  const meter = createLatencyMeter()
  const tokens: string[] = []
  let sampleBody: unknown
  let nextIndex = 0

  async function signIn({ send }: Connection): Promise<void> {
    for (let index = nextIndex++; index < items.length; index = nextIndex++) {
      if (index >= warmUpItems) meter.startCounting()
      const startedAtUs = meter.nowUs()
      let accessToken = items[index]!
      if (tokenStep) {
        const form = String(new URLSearchParams({ ...tokenStep.form, [tokenStep.codeField]: accessToken }))
        const body = await send({ method: 'POST', path: tokenStep.path, headers: FORM_HEADERS, body: form })
        accessToken = (JSON.parse(body.toString()) as { access_token: string }).access_token
      }
      if (profileStep) {
        const body = await send({ ...profileStep, headers: { authorization: `Bearer ${accessToken}` } })
        sampleBody ??= JSON.parse(body.toString())
      } else tokens.push(accessToken)
      meter.record(startedAtUs)
    }
  }

  await Promise.all(connections.map(signIn))
  return { ...meter.result(), sampleBody, tokens }
}
