// The traffic of a soak, beside the journeys of `rotation-traffic.ts`: every operation, event streams, and
// inquiries that wait.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '@tiwala/contract'
import { routeOf } from '@tiwala/kit/operations'
import { expect } from 'vitest'
import { createBaseRequests, IDS_WITHOUT_RESTORE } from '../src/fuzz/base-requests.ts'
import { readEvents } from '../src/kit/event-stream-reader.ts'
import { sendParts } from '../src/kit/send-parts.ts'
import type { TestService } from '../src/kit/test-service.ts'
import type { Citizen, Users } from '../src/kit/users.ts'
import type { Journey } from './open-loop.ts'

const WAITING = 10
const STREAMS_PER_CITIZEN = 2
const WAIT_SECONDS = 10
/** A citizen answers within this time, and sometimes only after the inquiry has ended. */
const MAX_ANSWER_MS = 12_000

/** The work of verifying the audit depends on how many checkpoints it has. These are soon there. */
const QUERY_OF: Partial<Record<OperationId, string>> = { verifyAudit: 'limit=10' }

/** In this service, no change waits for a second person. */
export const IDS = IDS_WITHOUT_RESTORE.filter((id) => !routeOf(id).path.includes('{approval_id}'))

/** Sends a valid request of each operation in turn. `beside`: a service with the same database and keys. */
export async function everyOperation(users: Users, beside: TestService): Promise<Journey> {
  const { db, signIn, askToSuspend } = beside
  const bases = await createBaseRequests({ ...users, db, signIn, askToSuspend }, IDS)
  let turn = 0
  return async () => {
    const id = IDS[turn++ % IDS.length]!
    const { parts } = await bases.take(id)
    const query = QUERY_OF[id]
    const { status, text } = await sendParts(users, id, { ...parts, ...(query && { query }) })
    expect([id, status < 300, status < 300 || text]).toEqual([id, true, true])
  }
}

/** Partners whose inquiries wait for an answer, and their citizens, who read their events all the time. */
export async function startWaiting(users: Users) {
  const ending = new AbortController()
  const { signal } = ending
  const failures: unknown[] = []
  const counts = { events: 0, streams: 0, waits: 0 }

  async function readStream({ token }: Citizen): Promise<void> {
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }
    // A stream ends after its longest duration, and a citizen's app opens it again.
    while (!signal.aborted) {
      const response = await users.send('streamEvents', { headers, signal })
      counts.streams++
      for await (const { id } of readEvents(response)) if (id) counts.events++
    }
  }

  async function waitForAnswers(citizen: Citizen): Promise<void> {
    const { profiles } = await users.partner()
    while (!signal.aborted) {
      const { tracking_no } = (await profiles.requestAuthorization(await citizen.showQr())).record
      const answering = sleep(Math.random() * MAX_ANSWER_MS).then(() => citizen.accept(tracking_no))
      const { state } = await profiles.inquire(tracking_no, { waitSeconds: WAIT_SECONDS })
      counts.waits++
      await answering
      if (state === 'PENDING') await profiles.inquire(tracking_no)
    }
  }

  const untilAborted = (act: Promise<void>) =>
    act.catch((error: unknown) => {
      if (!signal.aborted) failures.push(error)
    })
  const citizens = await Promise.all(Array.from({ length: WAITING }, () => users.citizen()))
  const running = Promise.all(
    citizens.flatMap((citizen) => [
      untilAborted(waitForAnswers(citizen)),
      ...Array.from({ length: STREAMS_PER_CITIZEN }, () => untilAborted(readStream(citizen))),
    ]),
  )
  return {
    counts,
    failures,
    end: async () => {
      ending.abort()
      await running
    },
  }
}
