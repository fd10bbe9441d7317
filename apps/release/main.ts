// `npm run release`: builds dist-release/tiwala-<version>.tar.gz, which runs with Node and PostgreSQL alone,
// and SHA256SUMS. The same commit in the same folder always gives the same bytes.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { VERSION } from '@tiwala/server/program'
import { bundle } from './bundle.ts'
import { contents, ROOT } from './contents.ts'
import { packagesIn, renderLicenses } from './packages.ts'
import { createSbom } from './sbom.ts'
import { type Files, tar } from './tar.ts'

const OUTPUT = join(ROOT, 'dist-release')
const NAME = `tiwala-${VERSION}`

const files: Files = new Map([...contents(), ...(await bundle())])
const packages = packagesIn(files)
// All of it is in the text for people.
files.delete('licenses.json')
files.set('THIRD-PARTY-LICENSES.txt', Buffer.from(renderLicenses(packages)))
files.set('sbom.cdx.json', Buffer.from(`${JSON.stringify(createSbom(VERSION, packages), null, 2)}\n`))
const archive = gzipSync(tar(new Map([...files].map(([path, content]) => [`${NAME}/${path}`, content]))), {
  level: 9,
})
// gzip writes down the operating system that it ran on. 255 stands for an unknown one.
archive[9] = 255

rmSync(OUTPUT, { recursive: true, force: true })
mkdirSync(OUTPUT)
writeFileSync(join(OUTPUT, `${NAME}.tar.gz`), archive)
const sha256 = createHash('sha256').update(archive).digest('hex')
// The format of `sha256sum --check`.
writeFileSync(join(OUTPUT, 'SHA256SUMS'), `${sha256}  ${NAME}.tar.gz\n`)
console.log(
  `dist-release/${NAME}.tar.gz has ${(archive.length / 2 ** 20).toFixed(1)} MiB: ${files.size} files, with ` +
    `code of ${packages.length} packages.`,
)
