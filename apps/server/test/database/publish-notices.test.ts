// Notifications are sent after the commit, so that no commit waits for another one.
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { cancelPending } from '../../src/authorizations/cancel-authorization/cancel-authorization.sql.ts'
import { CHANNEL } from '../../src/database/notifications.ts'
import { createPublisher } from '../../src/database/publish-notices.ts'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'
import { connectPatiently } from '../kit/connect.ts'
import { databaseUrlOf } from '../kit/database-url.ts'

const ignore = () => {}

describe('a publisher', () => {
  test('sends the notices of one moment together, each once', async () => {
    const sent: string[][] = []
    const publisher = createPublisher(async (notices) => void sent.push(notices), ignore, ignore)
    for (const notice of ['a', 'b', 'a']) publisher.publish(notice)
    await publisher.close()
    expect(sent).toEqual([['a', 'b']])
  })

  test('gives each notice to this process at once', () => {
    const received: string[] = []
    const publisher = createPublisher(
      async () => {},
      (notice) => received.push(notice),
      ignore,
    )
    publisher.publish('a')
    expect(received).toEqual(['a'])
  })

  test.each([0, 1, 2, 3, 4])(
    'sends a notice that comes %d turns after the last one was sent',
    async (turns) => {
      const sent: string[] = []
      const publishLater = async () => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        publisher.publish('b')
      }
      const publisher = createPublisher(
        async (notices) => {
          if (sent.push(...notices) === 1) queueMicrotask(() => void publishLater())
        },
        ignore,
        ignore,
      )
      publisher.publish('a')
      await expect.poll(() => sent).toEqual(['a', 'b'])
    },
  )

  test('sends again what could not be sent, with what came meanwhile', async () => {
    const sent: string[] = []
    const failures: unknown[] = []
    let isDown = true
    const publisher = createPublisher(
      async (notices) => {
        if (isDown) throw new Error('down')
        sent.push(...notices)
      },
      ignore,
      (error) => failures.push(error),
    )
    publisher.publish('a')
    await expect.poll(() => failures.length).toBeGreaterThan(1)
    publisher.publish('b')
    isDown = false
    await expect.poll(() => sent.toSorted()).toEqual(['a', 'b'])
    await publisher.close()
  })

  test('keeps the newest if too many wait, and gives up at its end', async () => {
    let sent: string[] = []
    const publisher = createPublisher(
      async (notices) => {
        sent = notices
        throw new Error('down')
      },
      ignore,
      ignore,
    )
    for (let number = 0; number <= 20_000; number++) publisher.publish(String(number))
    await publisher.close()
    expect([sent[0], sent.length]).toEqual(['1', 500])
  })
})

test('a changed record is announced after the commit, and by no transaction', async () => {
  const service = await startService(inject('postgres'))
  const api = await createApiClient(service.url)
  const database = connectPatiently(await databaseUrlOf(service))
  const heard: string[] = []
  const listening = await database.listen(CHANNEL, (notice) => heard.push(notice), ignore, ignore)
  const trackingNo = await api.createPendingRecord()
  const ofRecord = () => heard.filter((notice) => notice.endsWith(` ${trackingNo}`)).length
  await expect.poll(ofRecord).toBe(1)
  await api.accept(trackingNo)
  await expect.poll(ofRecord).toBe(2)
  // The statement itself, without the publisher.
  const cancelled = await api.createPendingRecord()
  const { rows } = await sql<{ partner_id: number }>`
    select partner_id from authorization_record where tracking_no = ${cancelled}`.execute(service.db)
  await expect.poll(() => heard.some((notice) => notice.endsWith(cancelled))).toBe(true)
  const before = heard.length
  await cancelPending(database.db, rows[0]!.partner_id, cancelled, { requestId: '', traceparent: null })
  await sql`select pg_notify(${CHANNEL}, 'the end')`.execute(service.db)
  await expect.poll(() => heard).toContain('the end')
  expect(heard.slice(before).filter((notice) => notice.endsWith(cancelled))).toEqual([])
  await listening.close()
  await database.close()
  await service.close()
})
