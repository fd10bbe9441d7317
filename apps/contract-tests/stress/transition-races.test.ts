import { expect, test } from 'vitest'
import { startServiceForFile } from '../src/kit/test-service.ts'
import { raceAndCheck } from '../src/kit/transition-races.ts'

const ROUNDS = 1_000

const service = await startServiceForFile({})

test(`200, 409: accept, decline, cancel, revoke and expiry take one path: ${ROUNDS} rounds`, async () => {
  const { faults, paths } = await raceAndCheck(service, ROUNDS)
  console.log('the ways that the records went:', paths)
  expect(faults).toEqual([])
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['DECLINED', 'CANCELLED', 'EXPIRED', 'ACCEPTED,REVOKED']),
  )
})
