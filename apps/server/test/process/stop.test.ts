// What `start` connects, and the end of the service: all that it started ends, in the right order.
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import { tracing } from '../../src/metrics/tracing.ts'
import { start } from '../../src/start.ts'
import { freePort, startService } from '../../src/testing/start-service.ts'
import { connectPatiently } from '../kit/connect.ts'
import { startOtlpReceiver } from '../kit/otlp-receiver.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

/** Timers, connections, listening sockets and watched files. A running service has each. */
const TYPES = new Set(['Timeout', 'TCPWRAP', 'TCPSERVERWRAP', 'STATWATCHER'])

/** Lists what `run` and all that it starts have open, each with the place that opened it. */
function watchResources() {
  const inside = new AsyncLocalStorage<true>()
  const resources = new Map<number, { type: string; resource: { hasRef?(): boolean }; stack: string }>()
  const hook = createHook({
    init(id, type, _trigger, resource) {
      if (inside.getStore() && TYPES.has(type))
        resources.set(id, { type, resource, stack: new Error().stack! })
    },
    destroy: (id) => void resources.delete(id),
  }).enable()
  onTestFinished(() => void hook.disable())
  return {
    run: <Result>(act: () => Promise<Result>) => inside.run(true, act),
    /** A timer that does not keep the process alive ends with it. */
    open: () =>
      [...resources.values()]
        .filter(({ type, resource }) => type !== 'Timeout' || resource.hasRef!())
        .map(({ type, stack }) => `${type} ${stack.match(/apps\/server\/src\/[^)]*/g)?.join(' ')}`),
  }
}

test('after the end no timer, connection, socket or watched file is left', async () => {
  const { run, open } = watchResources()
  // Nothing listens there, so the server asks for the keys again and again.
  const provider = `http://127.0.0.1:${await freePort()}/jwks.json`
  const service = await run(() =>
    startService(inject('postgres'), {
      TIWALA_CITIZEN_JWKS_URL: provider,
      TIWALA_CITIZEN_ISSUER: 'https://issuer.example',
    }),
  )
  expect(new Set(open().map((text) => text.split(' ')[0]))).toEqual(TYPES)
  await run(() => service.close())
  await expect.poll(open).toEqual([])
})

/** From now on, those that wait for a notification of each of these kinds. */
function watchSubscriptions(kinds: string[]) {
  const on = vi.spyOn(EventEmitter.prototype, 'on')
  onTestFinished(() => on.mockRestore())
  return () =>
    kinds.map((kind) => {
      const topics = on.mock.contexts[on.mock.calls.findIndex(([name]) => name === kind)]
      return (topics as EventEmitter).listenerCount(kind)
    })
}

test('a gap wakes those that wait; at the end the last notices and metrics are sent, before connections close', async () => {
  await using target = await temporaryDatabase()
  await using collector = await startOtlpReceiver()
  const subscriptions = watchSubscriptions(['gap', 'event'])
  const database = connectPatiently(target.url)
  const calls: string[] = []
  let onGap = () => {}
  const { service, close } = await start(
    readConfig({
      ...target.settings,
      PORT: String(await freePort()),
      TIWALA_OTLP_URL: collector.url,
    }),
    createLog('silent'),
    async () => ({
      ...database,
      listen: async (...listener) => {
        onGap = listener[2]
        const listening = await database.listen(...listener)
        return {
          notify: async (notices) => {
            await sleep(100)
            await listening.notify(notices)
            calls.push(`told ${notices.join()}`)
          },
          close: () => (calls.push('stopped listening'), listening.close()),
        }
      },
      close: () => (calls.push('closed the database'), database.close()),
    }),
  )
  const wake = vi.fn()
  const stopListening = service.notifications.onGap(wake)
  onGap()
  expect(wake).toHaveBeenCalledOnce()
  stopListening()
  for (const count of subscriptions()) expect(count).toBeGreaterThan(0)
  await sql`select 'event' as notice`.execute(service.db)
  await close()
  expect(calls).toEqual(['told event', 'stopped listening', 'closed the database'])
  expect(subscriptions()).toEqual([0, 0])
  expect([tracing, collector.metrics().length > 0]).toEqual([undefined, true])
})
