import type { Job } from '../load/job.ts'
import type { Plan } from '../plan.ts'
import { locate } from '../fixtures/api-client.ts'
import type { Fixtures } from '../fixtures/create-fixtures.ts'

type Load = Pick<Plan, 'warmUpSeconds' | 'seconds' | 'connections'>

/** Inquire of accepted records, and of ended ones where there are any to draw from. */
export const inquireJob = ({ accepted, asPartner }: Fixtures, origins: string[], load: Load, ended = 0): Job => ({
  kind: 'inquire',
  origins,
  connections: load.connections,
  warmUpSeconds: load.warmUpSeconds,
  seconds: load.seconds,
  path: locate('inquire').path,
  headers: asPartner,
  accepted: accepted.map(({ data }) => data.tracking_no),
  ended,
})
