#!/usr/bin/env node
import { start } from '../start.ts'
import { run } from './run.ts'

await start(run)
