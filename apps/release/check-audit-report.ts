/** The parts of `npm audit --json` that matter here. `message`: the registry has not answered. */
type Report = { vulnerabilities?: Record<string, { severity: string; range: string }>; message?: string }

const REFUSED = new Set(['high', 'critical'])
/** The registry does not support audits, fails, or is not reachable. */
const NO_ANSWER = /^\d{3} |^request to \S+ failed/

/**
 * What to say about the output of `npm audit --json`, and whether it is acceptable. A registry that does not
 * answer is acceptable: it says nothing about the packages. Any other output without a report is not.
 */
export function checkAuditReport(output: string): { isAcceptable: boolean; text: string } {
  const { vulnerabilities, message } = parse(output)
  if (!vulnerabilities)
    return NO_ANSWER.test(message ?? '')
      ? {
          isAcceptable: true,
          text: `The registry does not answer npm audit: nothing was checked (${message}).`,
        }
      : { isAcceptable: false, text: `npm audit has failed: ${output.slice(0, 500) || 'no output'}` }
  const refused = Object.entries(vulnerabilities).filter(([, { severity }]) => REFUSED.has(severity))
  const text = refused.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`).join('\n')
  const count = Object.keys(vulnerabilities).length
  return refused.length
    ? { isAcceptable: false, text: `${text}\nUpdate these packages. "npm audit --omit=dev" says more.` }
    : { isAcceptable: true, text: `No high or critical vulnerability (${count} of lower severity).` }
}

function parse(output: string): Report {
  try {
    return JSON.parse(output) as Report
  } catch {
    return {}
  }
}
