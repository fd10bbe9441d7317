import { describe, expect, test } from 'vitest'
import { exportCheckpoints, untilSealed } from '../kit/audit.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
await service.partner()
await untilSealed(service.operator)

describe('readCheckpoint', () => {
  test('200: one checkpoint, as in the list', async () => {
    const [newest] = await exportCheckpoints(service.operator)
    const { body } = await service.operator('readCheckpoint', { path: { checkpoint: newest!.checkpoint } })
    expect(body).toEqual(newest)
  })

  test('404: an unknown number; 422: a number out of range', async () => {
    expect(
      (await refusal(service.operator('readCheckpoint', { path: { checkpoint: 1_000_000 } }))).code,
    ).toBe('not_found')
    expect(
      (await refusal(service.operator('readCheckpoint', { path: { checkpoint: 0 } }))).fields,
    ).toHaveProperty('checkpoint')
  })
})
