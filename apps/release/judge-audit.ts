/** The parts of `npm audit --json` that matter here. */
type Report = { vulnerabilities?: Record<string, { severity: string; range: string }> }

const REFUSED = new Set(['high', 'critical'])

/**
 * What to say about the output of `npm audit --json`, and whether it is acceptable. A registry that does not
 * answer is: it says nothing about the packages.
 */
export function judgeAudit(output: string): { isAcceptable: boolean; text: string } {
  const vulnerabilities = parse(output)?.vulnerabilities
  if (!vulnerabilities)
    return { isAcceptable: true, text: 'The registry does not answer npm audit: nothing was checked.' }
  const refused = Object.entries(vulnerabilities).filter(([, { severity }]) => REFUSED.has(severity))
  const text = refused.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`).join('\n')
  const count = Object.keys(vulnerabilities).length
  return refused.length
    ? { isAcceptable: false, text: `${text}\nUpdate these packages. "npm audit --omit=dev" says more.` }
    : { isAcceptable: true, text: `No high or critical vulnerability (${count} of lower severity).` }
}

function parse(output: string): Report | undefined {
  try {
    return JSON.parse(output) as Report
  } catch {
    return undefined
  }
}
