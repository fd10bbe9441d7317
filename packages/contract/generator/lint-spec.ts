import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'

/** A mistake in a file of the spec. `path` is relative to the folder that contains `spec/`. */
export type Finding = { path: string; line: number; column: number; rule: string; message: string }

const REDOCLY = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
const FINDING =
  /^::\w+ title=(?<rule>[^,]+),file=(?<path>[^,]+),line=(?<line>\d+),col=(?<column>\d+)\S*::(?<message>.*)$/gm

/** Checks the documents of the folder with the rules of `redocly.yaml`. */
export function lintSpec(folder: string): Promise<Finding[]> {
  const apis = ['partner', 'citizen-app', 'operator'].map(
    (name) => `${basename(folder)}/${name}/openapi.yaml`,
  )
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [REDOCLY, 'lint', '--format=github-actions', ...apis],
      { cwd: dirname(folder), env, maxBuffer: Infinity },
      (error, stdout) => {
        if (error && error.code !== 1) return reject(error)
        const findings = [...stdout.matchAll(FINDING)].map((match) => toFinding(match.groups!))
        // A reference that leads nowhere causes other findings in the places that use it.
        const dangling = findings.filter(({ rule }) => rule === 'no-unresolved-refs')
        resolve(dangling.length ? dangling : findings)
      },
    )
  })
}

const toFinding = ({ rule, path, line, column, message }: Record<string, string>): Finding => ({
  path: path!,
  line: Number(line),
  column: Number(column),
  rule: rule!,
  message: message!.split('%0A')[0]!,
})
