import { routeOf } from '../fixtures/api-client.ts'
import type { Fixtures } from '../fixtures/create-fixtures.ts'
import type { Job } from '../load/job.ts'
import type { Plan } from '../plan.ts'

type Load = Pick<Plan, 'warmUpSeconds' | 'seconds' | 'connections'>

/** Reads accepted records and, if `endedRecords` is not 0, as many ended ones. */
export const inquireJob = (fixtures: Fixtures, origins: string[], load: Load, endedRecords = 0): Job => ({
  kind: 'inquire',
  origins,
  connections: load.connections,
  warmUpSeconds: load.warmUpSeconds,
  seconds: load.seconds,
  path: routeOf('inquire').path,
  headers: fixtures.partnerHeaders,
  acceptedTrackingNos: fixtures.acceptedResponses.map(({ data }) => data.tracking_no),
  endedRecords,
})
