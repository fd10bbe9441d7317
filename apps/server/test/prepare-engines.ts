import { shareEmbedded, sharePostgres } from './kit/shared-engines.ts'

/** For a run over both engines: they are prepared at the same time, before the projects ask for them one after the other. */
export default async function setup() {
  const engines = await Promise.all([shareEmbedded(), sharePostgres()])
  return async () => void (await Promise.all(engines.map(({ release }) => release())))
}
