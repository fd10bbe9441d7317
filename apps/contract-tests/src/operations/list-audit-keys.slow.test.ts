import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mintKey, type RingKey } from '@tiwala/server/testing'
import { describe, expect, test } from 'vitest'
import { findFaults, hasValidSignature } from '../kit/audit-verifier.ts'
import { exportCheckpoints, exportEvents, untilSealed, verifyAll } from '../kit/audit.ts'
import { startServiceForFile } from '../kit/test-service.ts'

/** A separate service, because the test changes its keys. */
const service = await startServiceForFile({})

const listed = async () => (await service.operator('listAuditKeys', {})).body.keys.map(({ kid }) => kid)

/** Changes the file of the key ring, and waits until the service has read it. */
async function changeRing(change: (keys: RingKey[]) => RingKey[]): Promise<void> {
  const file = join(service.config.dataDir, 'keys.json')
  const keys = change((JSON.parse(await readFile(file, 'utf8')) as { keys: RingKey[] }).keys)
  await writeFile(file, JSON.stringify({ keys }))
  const expected = keys.filter(({ purpose }) => purpose === 'audit').map(({ kid }) => kid)
  await expect.poll(async () => (await listed()).toSorted(), { timeout: 60_000 }).toEqual(expected.toSorted())
}

describe('listAuditKeys', () => {
  test('200: the public halves only, one of which has signed the newest checkpoint', async () => {
    await service.partner()
    await untilSealed(service.operator)
    const { keys } = (await service.operator('listAuditKeys', {})).body
    const [newest] = await exportCheckpoints(service.operator)
    expect(keys.filter((key) => hasValidSignature(newest!, key))).toHaveLength(1)
    expect(JSON.stringify(keys)).not.toContain('"d"')
  })

  test('200: after a rotation the public half of the old key verifies; without it checks fail', async () => {
    const [old] = await listed()
    await service.partner()
    await untilSealed(service.operator)
    const next = mintKey('audit', new Date())
    await changeRing((keys) => [...keys, next])
    expect(await listed()).toEqual([next.kid, old])
    await service.partner()
    await untilSealed(service.operator)
    const checkpoints = (await exportCheckpoints(service.operator)).toReversed()
    expect([checkpoints[0]!.kid, checkpoints.at(-1)!.kid]).toEqual([old, next.kid])
    const { keys } = (await service.operator('listAuditKeys', {})).body
    expect(findFaults(await exportEvents(service.operator), checkpoints, keys)).toEqual([])

    await changeRing((ring) =>
      ring.map(({ d, ...key }) => (key.kid === old ? key : { ...key, ...(d !== undefined && { d }) })),
    )
    expect((await verifyAll(service.operator)).fault).toBeNull()
    await changeRing((ring) => ring.filter(({ kid }) => kid !== old))
    expect((await verifyAll(service.operator)).fault).toEqual({
      checkpoint: 1,
      position: null,
      event: null,
      what: 'key_unknown',
    })
  })
})
