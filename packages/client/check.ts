// `npm run client:check`: what the package must be before partners install it. It needs a build.
import { execSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packClient } from './pack-client.ts'
import { describePackage, DOWNLOAD, manifest } from './releases.ts'

/** The code that a partner loads. It is not minified, so that stacks and reviews need no source map. */
const MAX_GZIP_BYTES = 16 * 1024
const ROOT = import.meta.dirname

const current = describePackage(DOWNLOAD)
const problems = [
  ...checkSize('index.js'),
  ...checkSize('index.cjs'),
  ...checkReproducible(),
  ...(await checkExports()),
  ...(await checkTypes()),
]
for (const problem of problems) console.error(`packages/client: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0

function checkSize(name: string): string[] {
  const bytes = gzipSync(readFileSync(join(ROOT, 'dist', name)), { level: 9 }).length
  return bytes > MAX_GZIP_BYTES
    ? [`dist/${name} has ${bytes} bytes gzipped, more than ${MAX_GZIP_BYTES}`]
    : []
}

/** Builds and packs again, with another umask. */
function checkReproducible(): string[] {
  // Beside `dist`, because a source map has relative paths.
  const [dist, folder] = [join(ROOT, 'dist-again'), mkdtempSync(join(tmpdir(), 'tiwala-client-'))]
  process.umask(0o077)
  try {
    execSync(`tsdown --logLevel error --out-dir "${dist}"`, { cwd: ROOT })
    packClient(dist, folder)
    return describePackage(folder).sha256 === current.sha256
      ? []
      : ['a second build and pack gives other bytes']
  } finally {
    for (const path of [dist, folder]) rmSync(path, { recursive: true, force: true })
  }
}

/** publint: can every runtime and bundler load the files that `exports` names? */
async function checkExports(): Promise<string[]> {
  const { messages } = await publint({ pkgDir: ROOT, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, manifest) ?? message.code}`)
}

/** "Are the types wrong?": does TypeScript find the right types in each mode of resolution? */
async function checkTypes(): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(join(DOWNLOAD, current.file))))
  if (!result.types) return ['attw: the package has no types']
  return result.problems.map((problem) => `attw: ${JSON.stringify(problem)}`)
}
