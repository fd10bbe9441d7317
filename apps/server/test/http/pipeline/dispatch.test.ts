import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dispatch } from '../../../src/http/pipeline/dispatch.ts'
import type { Service } from '../../../src/operation.ts'
import { startServiceForFile } from '../../kit/api-client.ts'
import { countBlocked } from '../../kit/blocked-statements.ts'

const run = (req: object) =>
  dispatch({} as Service, {} as Service)({ exchange: {}, ...req } as Request, {} as Response, () => {})

test('404: a request that no operation matches', async () => {
  await expect(run({})).rejects.toMatchObject({ code: 'not_found' })
})

test('no operation runs without an authenticated caller', async () => {
  const openapi = { schema: { operationId: 'inquire' }, pathParams: {} }
  await expect(run({ openapi })).rejects.toThrow('No authenticated caller.')
})

describe('the connections that an operation uses', () => {
  const connections = (name: string) =>
    ({
      get db() {
        throw new Error(name)
      },
    }) as unknown as Service

  test.each([
    ['listPartners', 'connections for requests'],
    ['completeRestore', 'connections for long-running operations'],
    ['verifyAudit', 'connections to the standby'],
    ['listDeliveries', 'connections to the standby'],
    ['listDisputes', 'connections to the standby'],
    ['listAuditEvents', 'connections to the standby'],
    ['listCheckpoints', 'connections to the standby'],
    ['readCheckpoint', 'connections to the standby'],
    ['listAuditKeys', 'connections to the standby'],
  ])('%s: %s', async (operationId, used) => {
    const slot = { keepDuring: (work: () => Promise<unknown>) => work() }
    const openapi = { schema: { operationId }, pathParams: {} }
    const exchange = { caller: { subject: 'operator' }, trace: {}, slot }
    const req = { openapi, query: {}, exchange } as unknown as Request
    const handle = dispatch(
      connections('connections for requests'),
      connections('connections for long-running operations'),
      connections('connections to the standby'),
    )
    await expect(handle(req, {} as Response, () => {})).rejects.toThrow(used)
  })
})

test('an event stream whose client left before it opened gives its place back', async () => {
  const { service, api } = await startServiceForFile({ TIWALA_STREAMS_PER_CITIZEN: '1' })
  const open = (signal?: AbortSignal) =>
    api.send('streamEvents', { headers: api.asCitizen, ...(signal && { signal }) })
  const holder = await service.db.startTransaction().execute()
  await sql`lock table citizen in access exclusive mode`.execute(holder)
  const leaving = new AbortController()
  const opening = open(leaving.signal).catch(() => {})
  await expect.poll(() => countBlocked(service.db)).toBe(1)
  leaving.abort()
  await opening
  // The server notices it while its statement still waits.
  await sleep(100)
  await holder.rollback().execute()
  await expect
    .poll(async () => {
      const staying = new AbortController()
      const { status } = await open(staying.signal)
      staying.abort()
      return status
    })
    .toBe(200)
})
