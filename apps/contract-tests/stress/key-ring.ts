// Replaces every key as the README describes: add the new key, wait, rewrap, wait until the old key is
// unused, remove it.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mintKey, PURPOSES, type RingKey } from '@tiwala/server/testing'
import { vi } from 'vitest'
import type { TestService } from '../src/kit/test-service.ts'

export type Purpose = (typeof PURPOSES)[number]
export { PURPOSES }

const POLLING = { timeout: 30_000, interval: 100 }
/** Longer than every process needs to read the changed file. */
const ACTIVE_AFTER_MS = 2_500
const LOOKED_AGAIN_MS = 2_000

export function createKeyRing({ config, operator }: TestService) {
  const file = join(config.dataDir, 'keys.json')
  const read = async () => (JSON.parse(await readFile(file, 'utf8')) as { keys: RingKey[] }).keys
  const write = async (keys: RingKey[]) => {
    await writeFile(`${file}.new`, JSON.stringify({ keys }))
    await rename(`${file}.new`, file)
  }
  /** Adds a key, which becomes current when every process has read it. Returns its id. */
  async function add(purpose: Purpose): Promise<string> {
    const next = mintKey(purpose, new Date(Date.now() + ACTIVE_AFTER_MS))
    await write([...(await read()), next])
    return next.kid
  }
  const listed = async (purpose: Purpose) =>
    (await operator('listKeys', {})).body.keys.filter((key) => key.purpose === purpose)

  async function moveOver() {
    for (let remaining = 1; remaining > 0;)
      remaining = (await operator('rewrapKeys', { body: { limit: 50 } })).body.remaining
  }

  /** `untilUnneeded` waits for the other conditions under which the old key can be removed. */
  async function exchange(
    purpose: Purpose,
    untilUnneeded: (currentKid: string) => Promise<unknown>,
  ): Promise<void> {
    const old = new Set((await listed(purpose)).map(({ kid }) => kid))
    const newKid = await add(purpose)
    await vi.waitUntil(async () => (await listed(purpose))[0]!.kid === newKid, POLLING)
    await moveOver()
    await untilUnneeded(newKid)
    await vi.waitUntil(
      async () => (await listed(purpose)).every(({ is_current, in_use }) => is_current || !in_use),
      POLLING,
    )
    // The public half of an audit key stays, because it verifies the signed checkpoints.
    const { d: _, ...publicHalf } = (await read()).find(({ kid, d }) => old.has(kid) && d) ?? ({} as RingKey)
    const keys = (await read()).filter(({ kid }) => !old.has(kid))
    await write(purpose === 'audit' ? [...keys, publicHalf] : keys)
    await sleep(LOOKED_AGAIN_MS)
  }

  return { read, write, add, exchange }
}
