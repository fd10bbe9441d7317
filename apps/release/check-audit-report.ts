import { spawnSync } from 'node:child_process'
import { ROOT } from './contents.ts'

/** Of all packages: those of the pages are dependencies of the build alone. */
const COMMAND = 'npm audit --json --fetch-retries=1 --fetch-timeout=30000'
const MAX_REPORT_BYTES = 64 * 2 ** 20

/** The parts of `npm audit --json` that matter here. `message`: the registry has not answered. */
type Report = { vulnerabilities?: Record<string, Vulnerability>; message?: string }
/** `via`: advisories of the package, and names of vulnerable packages that it needs. `nodes`: where it is installed. */
type Vulnerability = { via: (Advisory | string)[]; nodes: string[] }
type Advisory = { severity: string; range: string }

const REFUSED = new Set(['high', 'critical'])
/** The registry does not support audits, fails, or is not reachable. */
const NO_ANSWER = /^\d{3} |^request to \S+ failed/

export function readAuditReport(): string {
  // Through the shell, because on Windows npm is a script (npm.cmd).
  const { stdout, error } = spawnSync(COMMAND, {
    cwd: ROOT,
    shell: true,
    encoding: 'utf8',
    maxBuffer: MAX_REPORT_BYTES,
  })
  if (error) throw error
  return stdout
}

/**
 * What to say about the output of `npm audit --json`, and whether it is acceptable. Only packages whose path in the
 * lock file is shipped count. A registry that does not answer is acceptable: it says nothing about the packages. Any
 * other output without a report is not.
 */
export function checkAuditReport(
  output: string,
  isShipped: (path: string) => boolean,
): { isAcceptable: boolean; text: string } {
  const { vulnerabilities, message } = parse(output)
  if (!vulnerabilities)
    return NO_ANSWER.test(message ?? '')
      ? {
          isAcceptable: true,
          text: `The registry does not answer npm audit: nothing was checked (${message}).`,
        }
      : { isAcceptable: false, text: `npm audit has failed: ${output.slice(0, 500) || 'no output'}` }
  const advisories = Object.entries(vulnerabilities)
    .filter(([, { nodes }]) => nodes.some(isShipped))
    .flatMap(([name, { via }]) => via.flatMap((each) => (typeof each === 'string' ? [] : { name, ...each })))
  const refused = advisories.filter(({ severity }) => REFUSED.has(severity))
  const text = refused.map(({ name, severity, range }) => `${name} ${range}: ${severity}`).join('\n')
  return refused.length
    ? { isAcceptable: false, text: `${text}\nUpdate these packages. "npm audit" says more.` }
    : {
        isAcceptable: true,
        text: `No high or critical vulnerability (${advisories.length} of lower severity).`,
      }
}

function parse(output: string): Report {
  try {
    return JSON.parse(output) as Report
  } catch {
    return {}
  }
}
