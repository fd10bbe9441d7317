import type { TiwalaError } from '@tiwala/client'
import type { ErrorCode, Schemas } from '@tiwala/contract'
import { startService, type TestEngine } from '@tiwala/server/testing'
import { afterAll, inject, vi } from 'vitest'
import { checkService } from '../contract-check/traffic.ts'
import { createUsers } from './users.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: TestEngine
  }
}

export const NO_LIMITS: Schemas['PartnerLimits'] = {
  requests_per_minute: null,
  views_per_minute: null,
  tokens_per_minute: null,
  sign_ins_per_minute: null,
  per_day: null,
}

export type TestService = Awaited<ReturnType<typeof createTestService>>

let common: Promise<TestService> | undefined

/**
 * With settings (also `{}`) a new test service. Without settings the one that all files of a worker share;
 * each test creates its own partners and citizens in it.
 */
export async function startTestService(settings?: Record<string, string>): Promise<TestService> {
  if (settings) return createTestService(settings)
  common ??= createTestService({})
  return { ...(await common), close: async () => {} }
}

/**
 * For the top level of a test file: starts the service, and closes it after the last test of the file.
 */
export async function startServiceForFile(settings?: Record<string, string>): Promise<TestService> {
  const starting = startTestService(settings)
  afterAll(async () => (await starting).close())
  return starting
}

/**
 * A real server over a new database, and its users. `fetch` checks every response of it against the
 * documents.
 */
async function createTestService(settings: Record<string, string>) {
  const server = await startService(inject('engine'), settings)
  checkService(server.url)
  return { ...server, ...(await createUsers(server.url, server.tokens)) }
}

/**
 * The error of an inquiry too early. One that succeeds is repeated: the notification of the request, which
 * allows an inquiry at once, may come after an inquiry.
 */
export const refusalOfPolling = (inquire: () => Promise<unknown>) =>
  vi.waitFor(() => refusal(inquire()), 60_000)

/** The error of a refused request. Throws when the request succeeds. */
export async function refusal(request: Promise<unknown>): Promise<TiwalaError & { code: ErrorCode }> {
  const outcome = await request.then(
    () => new Error('expected a refusal, but the request succeeded'),
    (error: unknown) => error,
  )
  // Compared by name, because the packed client has its own copy of the class.
  if (outcome instanceof Error && outcome.name === 'TiwalaError')
    return outcome as TiwalaError & { code: ErrorCode }
  throw outcome
}
