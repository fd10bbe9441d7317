import { shareEmbedded, sharePostgres } from './kit/shared-engines.ts'

/**
 * For a run over both engines: prepares both at the same time, before the projects request one after the
 * other.
 */
export default async function setup() {
  const engines = await Promise.all([shareEmbedded(), sharePostgres()])
  return async () => void (await Promise.all(engines.map(({ release }) => release())))
}
