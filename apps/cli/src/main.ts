import { run } from './run.ts'
import { start } from './start.ts'

await start(run)
