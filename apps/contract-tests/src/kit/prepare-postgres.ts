import { sharePostgres } from '@tiwala/server/testing-engines'
import { prepareEngine } from './prepare-engine.ts'

export default prepareEngine(sharePostgres)
