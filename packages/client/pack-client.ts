import { execSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manifest } from './releases.ts'

const ROOT = import.meta.dirname

/**
 * Packs a build into a folder. The same build always gives the same bytes: `npm pack` fixes owners and times,
 * and the copy here has fixed modes, which otherwise depend on the umask.
 */
export function packClient(dist: string, destination: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'tiwala-client-'))
  const copy = (from: string, to: string) => {
    copyFileSync(from, join(folder, to))
    chmodSync(join(folder, to), 0o644)
  }
  try {
    for (const name of ['README.md', 'CHANGELOG.md', 'LANGUAGES.md']) copy(join(ROOT, name), name)
    copy(join(ROOT, '../../LICENSE'), 'LICENSE')
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    chmodSync(join(folder, 'package.json'), 0o644)
    mkdirSync(join(folder, 'dist'))
    for (const name of readdirSync(dist)) copy(join(dist, name), join('dist', name))
    // Through the shell, because on Windows npm is a script (npm.cmd).
    execSync(`npm pack --silent --pack-destination "${destination}"`, { cwd: folder })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
