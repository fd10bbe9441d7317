// `npm run release`: builds dist-release/tiwala-<version>.tar.gz, which runs with Node and PostgreSQL alone, and
// SHA256SUMS. The same commit always gives the same bytes.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { VERSION } from '@tiwala/server/program'
import { bundle, ROOT } from './bundle.ts'
import { contents } from './contents.ts'
import { type Files, tar } from './tar.ts'

const OUTPUT = join(ROOT, 'dist-release')
const NAME = `tiwala-${VERSION}`
const startedAtMs = performance.now()

const files = contents()
for (const [path, content] of await bundle()) files.set(path, content)
const folder: Files = new Map([...files].map(([path, content]) => [`${NAME}/${path}`, content]))
const archive = gzipSync(tar(folder), { level: 9 })

rmSync(OUTPUT, { recursive: true, force: true })
mkdirSync(OUTPUT)
writeFileSync(join(OUTPUT, `${NAME}.tar.gz`), archive)
const sha256 = createHash('sha256').update(archive).digest('hex')
// The format of `sha256sum --check`.
writeFileSync(join(OUTPUT, 'SHA256SUMS'), `${sha256}  ${NAME}.tar.gz\n`)
const [mebibytes, seconds] = [archive.length / 2 ** 20, (performance.now() - startedAtMs) / 1_000]
console.log(
  `dist-release/${NAME}.tar.gz: ${mebibytes.toFixed(1)} MiB, ${files.size} files, packed in ${seconds.toFixed(1)} s`,
)
