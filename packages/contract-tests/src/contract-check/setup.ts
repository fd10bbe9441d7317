// Runs in front of each test file: reports what the traffic of the file has shown.
import { afterAll, beforeEach, type TaskMeta } from 'vitest'
import { takeFacts } from './traffic.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What the traffic of a test file has shown. The coverage reporter reads it. */
    facts?: string[]
  }
}

let meta: TaskMeta = {}
beforeEach(({ task }) => void (meta = task.file.meta))

afterAll(() => void (meta.facts = takeFacts()))
