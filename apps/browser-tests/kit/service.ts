import { startService, type TestService } from '@tiwala/server/testing'
import { afterAll, inject, onTestFinished } from 'vitest'

/**
 * For the top level of a test file: starts a sandbox with these settings, and closes it after the last test
 * of the file.
 */
export async function startServiceForFile(settings: Record<string, string> = {}): Promise<TestService> {
  const starting = startService(inject('engine'), settings)
  afterAll(async () => (await starting).close(0))
  return starting
}

/** The same for one test. */
export async function startServiceForTest(settings: Record<string, string> = {}): Promise<TestService> {
  const service = await startService(inject('engine'), settings)
  onTestFinished(() => service.close(0))
  return service
}
