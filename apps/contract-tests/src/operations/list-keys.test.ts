import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RingKey } from '@tiwala/server/testing'
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const file = () => join(service.config.dataDir, 'keys.json')
const readRing = async () => (JSON.parse(await readFile(file(), 'utf8')) as { keys: RingKey[] }).keys
const listed = async () => (await service.operator('listKeys', {})).body.keys

describe('listKeys', () => {
  test('200: the keys without their secret parts, and how many rows use each', async () => {
    await service.citizen()
    const keys = await listed()
    const secrets = (await readRing()).flatMap(({ k, d }) => [k, d]).filter(Boolean) as string[]
    for (const secret of secrets) expect(JSON.stringify(keys)).not.toContain(secret)
    expect(
      keys.find(({ purpose, is_current }) => purpose === 'pepper' && is_current)!.in_use,
    ).toBeGreaterThan(0)
    expect(keys.find(({ purpose }) => purpose === 'access-token')!.in_use).toBeNull()
  })
})
