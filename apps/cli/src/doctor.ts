import type { Finding } from '@tiwala/server/doctor'
import { escapeLines } from './escape-text.ts'
import { EXIT_CODE } from './format-error.ts'
import { type Io, print, readSource } from './io.ts'
import { loadSettings } from './load-settings.ts'
import { createRowPrinter, type Output } from './print-value.ts'
import { UsageError } from './usage-error.ts'

export type DoctorOptions = { output: Output; settings?: string; callback?: string[]; token?: string }

/** Checks the configuration of the service on this machine, before or after its start. */
export async function doctor(io: Io, { output, settings, callback, token }: DoctorOptions): Promise<number> {
  if (token?.startsWith('eyJ'))
    throw new UsageError(
      '--token: put the token into a file and give its path, since other users see options.',
    )
  const text = token === undefined ? undefined : (await readSource(io, token)).trim()
  const unset = OF_NODE.filter((name) => io.env[name] === undefined)
  // Into the environment, since the driver of PostgreSQL reads some, too.
  await loadSettings(io, settings)
  const late = unset.filter((name) => io.env[name] !== undefined).map(findingOf)
  // Imported here, because no other command needs the server.
  const { diagnose } = await import('@tiwala/server/doctor')
  const printRows = createRowPrinter(io, output)
  let count = 0
  const findings = async function* () {
    yield* late
    yield* diagnose(io.env, callback, text)
  }
  for await (const finding of findings()) {
    if (finding.status === 'problem') count++
    if (output === 'table') await print(io.stdout, escapeLines(format(finding)))
    else await printRows([finding])
  }
  if (output === 'table') await print(io.stdout, `\n${problemCount(count)}.\n`)
  return count ? EXIT_CODE.refused : EXIT_CODE.done
}

/** Node reads these before the file of settings. Of `--env-file`, it reads `NODE_OPTIONS` alone. */
const OF_NODE = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY', 'NODE_USE_SYSTEM_CA']

const findingOf = (name: string): Finding =>
  name === 'NODE_OPTIONS'
    ? {
        status: 'note',
        about: 'settings',
        text: 'NODE_OPTIONS: applies to the service, not to this command. Set it in the environment of this command, too.',
      }
    : {
        status: 'problem',
        about: 'settings',
        text: `${name}: has no effect in this file, because Node reads it earlier. Set it in the environment instead.`,
      }

const problemCount = (count: number) =>
  count === 0 ? 'No problems' : count === 1 ? '1 problem' : `${count} problems`

const format = ({ status, about, text }: Finding): string =>
  `${status.padEnd(7)} ${about.padEnd(20)} ${text}\n`
