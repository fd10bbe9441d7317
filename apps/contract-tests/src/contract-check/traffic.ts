import { checkedFetch } from './checked-fetch.ts'
import type { Findings } from './facts.ts'

/** What the checks of this worker have found since the last test file ended. */
const traffic = { facts: new Set<string>(), violations: [] as string[] }

const origins = new Set<string>()

/** From now on, `fetch` checks the responses of this service. */
export function checkService(url: string): void {
  if (origins.size === 0)
    globalThis.fetch = checkedFetch(globalThis.fetch, {
      isChecked: (origin) => origins.has(origin),
      report,
      onRefusal: (refusal) => (lastRefusal = refusal),
    })
  origins.add(new URL(url).origin)
}

/** The last error response, for the report of a failed test. */
export let lastRefusal = ''
export const forgetRefusals = (): void => void (lastRefusal = '')

/** Stores the facts, and the violations that fail the test file at its end. */
export function record({ violations, facts }: Findings): void {
  for (const shown of facts) traffic.facts.add(shown)
  traffic.violations.push(...violations)
}

/** Also throws when there are violations, so that the test fails where the response arrives. */
export function report(findings: Findings): void {
  record(findings)
  if (findings.violations.length > 0) throw new Error(findings.violations.join('\n'))
}

/** Returns the facts of a test file, or throws when it had violations. The next file starts with none. */
export function takeFacts(): string[] {
  const { violations } = traffic
  const facts = [...traffic.facts]
  traffic.facts.clear()
  traffic.violations = []
  if (violations.length > 0) throw new Error(`Responses break the documents:\n${violations.join('\n')}`)
  return facts
}
