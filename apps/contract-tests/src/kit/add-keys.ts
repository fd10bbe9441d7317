import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mintKey, type RingKey } from '@tiwala/server/testing'
import { expect } from 'vitest'
import type { TestService } from './test-service.ts'

/** Adds a key of each purpose to the ring of the service, and waits until they are the current ones. */
export async function addKeys(
  { config, operator }: TestService,
  ...purposes: Parameters<typeof mintKey>[0][]
): Promise<void> {
  const file = join(config.dataDir, 'keys.json')
  const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys: RingKey[] }
  const added = purposes.map((purpose) => mintKey(purpose, new Date()))
  await writeFile(file, JSON.stringify({ keys: [...keys, ...added] }))
  const current = async () =>
    (await operator('listKeys', {})).body.keys.filter((key) => key.is_current).map(({ kid }) => kid)
  await expect.poll(current).toEqual(expect.arrayContaining(added.map(({ kid }) => kid)))
}
