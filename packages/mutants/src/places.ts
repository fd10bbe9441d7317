import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')
export const SERVER = join(ROOT, 'apps/server/src')
/** Whether the mutants are those of the TypeScript code (`code-main.ts`), not those of the SQL. */
export const isOfCode = process.env['TIWALA_MUTANTS_OF'] === 'code'
/** What a later run reuses: which test executes which statement or mutant, and the results. */
export const CACHE = join(import.meta.dirname, isOfCode ? '../.cache/code' : '../.cache')
/** The kills that are committed. */
export const KILLS = join(import.meta.dirname, `../kills/${isOfCode ? 'code' : 'sql'}.json`)
/** The environment variable that tells `hook.ts` what to do. */
export const HOOK_VARIABLE = 'TIWALA_MUTANTS'
