import type { TestEngine } from '@tiwala/server/testing'
import type { TestProject } from 'vitest/node'
import { logFolder } from './log-folder.ts'

/** The global setup of a project that runs over one engine. It searches the logs at the end of the run. */
export function prepareEngine(share: () => Promise<{ engine: TestEngine; release(): Promise<void> }>) {
  return async (project: TestProject) => {
    const { engine, release } = await share()
    const logs = await logFolder()
    project.provide('engine', { ...engine, logFolder: logs.path })
    return async () => {
      await release()
      await logs.search()
    }
  }
}
