// Builds the documentation: the sites that a release carries, or those that are named
// (`node build.ts live.partner`). A site that is up to date is not built again.
import { buildSite, isCurrent, RELEASED_SITES } from './build-site.ts'

const named = process.argv.slice(2)
for (const name of named.length ? named : RELEASED_SITES) {
  if (isCurrent(name) || (await buildSite(name))) continue
  // Astro has printed why.
  process.exitCode = 1
  break
}
