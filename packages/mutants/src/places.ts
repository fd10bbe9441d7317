import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')
/** What a later run reuses: which test executes which statement, and the results. */
export const CACHE = join(import.meta.dirname, '../.cache')
/** The environment variable that tells `hook.ts` what to do. */
export const HOOK_VARIABLE = 'TIWALA_MUTANTS'
