import { shareEmbedded } from '@tiwala/server/testing-engines'
import { prepareEngine } from './prepare-engine.ts'

export default prepareEngine(shareEmbedded)
