import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import type { Finding } from '@tiwala/server/doctor'
import { escapeLines, toSafeJson } from './escape-text.ts'
import { EXIT_CODE } from './format-error.ts'
import { type Io, print } from './io.ts'

export type DoctorOptions = { json?: boolean; settings?: string; callback?: string[] }

/** Checks the configuration of the service on this machine, before or after its start. */
export async function doctor(io: Io, { json, settings, callback }: DoctorOptions): Promise<number> {
  // As with `node --env-file`, variables of the environment win. The driver of PostgreSQL reads some, too.
  if (settings !== undefined)
    for (const [name, value] of Object.entries(parseEnv(await readFile(settings, 'utf8'))))
      io.env[name] ??= value
  // Imported here, because no other command needs the server.
  const { diagnose } = await import('@tiwala/server/doctor')
  let count = 0
  for await (const finding of diagnose(io.env, callback)) {
    if (finding.status === 'mend') count++
    await print(io.stdout, json ? `${toSafeJson(finding)}\n` : escapeLines(format(finding)))
  }
  if (!json) await print(io.stdout, count ? `\n${count} to mend.\n` : '\nNothing to mend.\n')
  return count ? EXIT_CODE.refused : EXIT_CODE.done
}

const format = ({ status, about, text }: Finding): string =>
  `${status.padEnd(5)} ${about.padEnd(20)} ${text}\n`
