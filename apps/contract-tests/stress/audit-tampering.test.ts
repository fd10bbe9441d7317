import { expect, test } from 'vitest'
import { fillAudit, pickTarget, findFaultAfter, allowTampering } from '../src/kit/audit-tampering.ts'
import { untilSealed, verifyAll } from '../src/kit/audit.ts'
import { TAMPERINGS } from '../src/kit/event-tamperings.ts'
import { startServiceForFile } from '../src/kit/test-service.ts'

const WRITERS = 16
const ROWS_OF_EACH = 10_000
const TAMPERINGS_TRIED = 100

const service = await startServiceForFile({})

test(`200: ${WRITERS} x ${ROWS_OF_EACH} rows: every tampering (${TAMPERINGS_TRIED}) is found`, async () => {
  const written = await fillAudit(service, WRITERS, ROWS_OF_EACH)
  await untilSealed(service.operator)
  const { checkpoints, rows, fault } = await verifyAll(service.operator)
  console.log(`${rows} rows under ${checkpoints} checkpoints`)
  expect([written, rows, fault]).toEqual([WRITERS * ROWS_OF_EACH, written, null])
  await allowTampering(service)
  for (let index = 0; index < TAMPERINGS_TRIED; index++) {
    const tampering = TAMPERINGS[index % TAMPERINGS.length]!
    const target = await pickTarget(service)
    const found = await findFaultAfter(service, tampering, target, target.a.checkpoint)
    expect({ how: tampering.how, target, found }).toMatchObject({ target, found: tampering.found(target) })
  }
  expect(await verifyAll(service.operator)).toEqual({ checkpoints, rows, fault: null })
})
