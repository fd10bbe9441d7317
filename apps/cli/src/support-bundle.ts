// `tiwala support-bundle`: writes what a supporter needs into one file.
import { writeFile } from 'node:fs/promises'
import type { ConnectOptions } from './connect.ts'
import { toSafeJson } from './escape-text.ts'
import { type Io, print, printMessage, readSource } from './io.ts'
import { loadSettings } from './load-settings.ts'

export type SupportBundleOptions = ConnectOptions & { settings?: string; file: string; log?: string }

export async function supportBundle(
  io: Io,
  operatorUrl: string,
  options: SupportBundleOptions,
): Promise<void> {
  await loadSettings(io, options.settings)
  const log = options.log === undefined ? undefined : await readSource(io, options.log)
  // Imported here, because few commands need the server.
  const { collectSupport } = await import('@tiwala/server/support-bundle')
  const bundle = await collectSupport(io.env, { operatorUrl, ...(log !== undefined && { log }) })
  const text = `${toSafeJson(bundle, 2)}\n`
  if (options.file === '-') return print(io.stdout, text)
  await writeFile(options.file, text, { mode: 0o600 })
  printMessage(io, `Wrote ${options.file}. Read it before you send it.`)
}
