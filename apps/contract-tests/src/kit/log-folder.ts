import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exampleProfile } from '@tiwala/kit/users'

/**
 * Values that no log may hold: the profile of the test citizens, and anything in the format of a secret, a
 * code or a token.
 */
const PERSONAL = Object.values(exampleProfile('TEST-')).filter(
  (value) => typeof value === 'string' && value.length > 4,
) as string[]
// The dot tells a token from a hash: the root of a checkpoint, in base64url, may begin with eyJ.
const SECRET = /\b(tw[tsx]_|whsec_|TWQ1[0-9A-Z]{32}|eyJ[\w-]{8,}\.)/

/** The folder of the debug logs of all services of a run. `search` runs after the services have ended. */
export async function logFolder(): Promise<{ path: string; search(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tiwala-logs-'))
  return {
    path,
    search: async () => {
      const files = await readdir(path)
      const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')))
      const found = texts
        .flatMap((text) => text.split('\n'))
        .filter((line) => SECRET.test(line) || PERSONAL.some((value) => line.includes(value)))
      if (found.length > 0)
        throw new Error(
          `The logs hold secrets or personal data, ${found.length} times:\n${found.slice(0, 5).join('\n')}`,
        )
      await rm(path, { recursive: true })
    },
  }
}

type LogLine = {
  time: string
  operation?: string
  fault?: { name: string; fields?: string[]; at?: string[] }
}

/** Why requests failed with 500 since this time, for the report of a failed test. */
export async function faultsSince(path: string, since: string): Promise<string[]> {
  const files = await readdir(path)
  const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')))
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes('"fault":'))
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ time }) => time >= since)
    .map(({ operation, fault }) =>
      fault!.fields
        ? `${operation}: the response breaks its document at ${fault!.fields.join(', ')}`
        : `${operation}: ${[fault!.name, ...(fault!.at ?? [])].join('\n')}`,
    )
}
