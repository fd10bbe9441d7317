import type { Finding } from '@tiwala/server/doctor'
import { escapeLines } from './escape-text.ts'
import { EXIT_CODE } from './format-error.ts'
import { type Io, print } from './io.ts'
import { loadSettings } from './load-settings.ts'
import { createRowPrinter, type Output } from './print-value.ts'

export type DoctorOptions = { output: Output; settings?: string; callback?: string[] }

/** Checks the configuration of the service on this machine, before or after its start. */
export async function doctor(io: Io, { output, settings, callback }: DoctorOptions): Promise<number> {
  // Into the environment, since the driver of PostgreSQL reads some, too.
  await loadSettings(io, settings)
  // Imported here, because no other command needs the server.
  const { diagnose } = await import('@tiwala/server/doctor')
  const printRows = createRowPrinter(io, output)
  let count = 0
  for await (const finding of diagnose(io.env, callback)) {
    if (finding.status === 'problem') count++
    if (output === 'table') await print(io.stdout, escapeLines(format(finding)))
    else await printRows([finding])
  }
  if (output === 'table') await print(io.stdout, `\n${problemCount(count)}.\n`)
  return count ? EXIT_CODE.refused : EXIT_CODE.done
}

const problemCount = (count: number) =>
  count === 0 ? 'No problems' : count === 1 ? '1 problem' : `${count} problems`

const format = ({ status, about, text }: Finding): string =>
  `${status.padEnd(7)} ${about.padEnd(20)} ${text}\n`
