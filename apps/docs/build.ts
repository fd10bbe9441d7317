// Builds the documentation sites that a release carries, or the one that is named: `node build.ts live.partner`.
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const RELEASED = ['sandbox.partner.citizen-app.operator', 'live.partner.citizen-app', 'live.operator']

const astro = join(dirname(createRequire(import.meta.url).resolve('astro/package.json')), 'bin/astro.mjs')
const named = process.argv.slice(2)

for (const site of named.length ? named : RELEASED)
  execFileSync(process.execPath, [astro, 'build'], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
    env: { ...process.env, TIWALA_DOCS_SITE: site, ASTRO_TELEMETRY_DISABLED: '1' },
  })
