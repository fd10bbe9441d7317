import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The sites that a release carries: those of the default settings of both environments. */
export const RELEASED_SITES = [
  'sandbox.partner.citizen-app.workbench.operator',
  'live.partner.citizen-app.workbench',
  'live.operator',
]

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(import.meta.dirname, 'dist')
/** All that the pages show, and all that builds them. */
export const INPUTS = [
  'apps/docs/astro.config.ts',
  'apps/docs/integration',
  'apps/docs/public',
  'apps/docs/src',
  'apps/server/OPERATIONS.md',
  'apps/server/SETTINGS.md',
  'apps/server/UPGRADING.md',
  'apps/server/src/contract/live-document.ts',
  'apps/server/src/contract/setting-numbers.ts',
  'apps/server/src/diagnostics/checks.ts',
  'apps/server/src/http/pages/docs-values.ts',
  'apps/server/src/operations.ts',
  'apps/server/src/settings',
  'ec.config.mjs',
  'package-lock.json',
  'packages/contract/generator/code-samples/run-commands.ts',
  'packages/contract/references.ts',
  'packages/contract/src',
  'packages/ui',
  'spec/CHANGELOG.md',
]

const stampOf = (name: string) => join(DIST, `${name}.inputs`)

/** Whether the site with this name was built from the present inputs. */
export const isCurrent = (name: string): boolean =>
  existsSync(join(DIST, name)) &&
  existsSync(stampOf(name)) &&
  readFileSync(stampOf(name), 'utf8') === hashInputs()

/**
 * Builds a site, which then replaces the one before it, so that the server never serves a half of it. Returns
 * whether it worked.
 */
export async function buildSite(name: string): Promise<boolean> {
  const inputs = hashInputs()
  const astro = dirname(createRequire(import.meta.url).resolve('astro/package.json'))
  mkdirSync(DIST, { recursive: true })
  const folder = mkdtempSync(join(DIST, '.building-'))
  const child = spawn(process.execPath, [join(astro, 'bin/astro.mjs'), 'build'], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
    env: { ...process.env, TIWALA_DOCS_SITE: name, TIWALA_DOCS_OUT: folder, ASTRO_TELEMETRY_DISABLED: '1' },
  })
  const stop = () => child.kill()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  try {
    const [status] = (await once(child, 'exit')) as [number | null]
    if (status !== 0) return false
    rmSync(join(DIST, name), { recursive: true, force: true })
    renameSync(folder, join(DIST, name))
    writeFileSync(stampOf(name), inputs)
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
}

function hashInputs(): string {
  const hash = createHash('sha256')
  for (const file of INPUTS.flatMap((input) => filesOf(join(ROOT, input))))
    hash.update(file.slice(ROOT.length)).update(readFileSync(file))
  return hash.digest('hex')
}

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
