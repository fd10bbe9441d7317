// Runs in front of each test file: reports what the traffic of the file has shown, and why a test failed.
import { afterAll, beforeEach, inject, type TaskMeta } from 'vitest'
import { faultsSince } from '../kit/log-folder.ts'
import { forgetRefusals, lastRefusal, takeFacts } from './traffic.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What the traffic of a test file has shown. The coverage reporter reads it. */
    facts?: string[]
  }
}

let meta: TaskMeta = {}
beforeEach(({ task, onTestFailed }) => {
  meta = task.file.meta
  forgetRefusals()
  const startedAt = new Date().toISOString()
  onTestFailed(async () => {
    const faults = await faultsSince(inject('engine').logFolder!, startedAt)
    const refusals = lastRefusal ? [`The last refusal: ${lastRefusal}`] : []
    process.stderr.write([...refusals, ...faults, ''].join('\n'))
  })
})

afterAll(() => void (meta.facts = takeFacts()))
