// `npm run release`: builds dist-release/tiwala-<version>.tar.gz, which runs with Node and PostgreSQL alone,
// and SHA256SUMS. The same commit always gives the same bytes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '@tiwala/server/program'
import { writeArchive } from './archive.ts'
import { bundle } from './bundle.ts'
import { contents, type Files, ROOT } from './contents.ts'
import { packagesIn, renderLicenses } from './packages.ts'
import { createSbom } from './sbom.ts'

const OUTPUT = join(ROOT, 'dist-release')
const NAME = `tiwala-${VERSION}`
const ARCHIVE = join(OUTPUT, `${NAME}.tar.gz`)

// The time of the commit is that of all files, and of the bill of materials.
const seconds =
  process.env['SOURCE_DATE_EPOCH'] ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT })
const date = new Date(Number(seconds) * 1000)

const files: Files = new Map([...contents(), ...(await bundle())])
const packages = packagesIn(files)
// All of it is in the text for people.
files.delete('licenses.json')
files.set('THIRD-PARTY-LICENSES.txt', Buffer.from(renderLicenses(packages)))
files.set('sbom.cdx.json', Buffer.from(createSbom(VERSION, date, packages)))

rmSync(OUTPUT, { recursive: true, force: true })
mkdirSync(OUTPUT)
await writeArchive(ARCHIVE, new Map([...files].map(([path, content]) => [`${NAME}/${path}`, content])), date)
const archive = readFileSync(ARCHIVE)
const sha256 = createHash('sha256').update(archive).digest('hex')
// The format of `sha256sum --check`.
writeFileSync(join(OUTPUT, 'SHA256SUMS'), `${sha256}  ${NAME}.tar.gz\n`)
console.log(
  `dist-release/${NAME}.tar.gz has ${(archive.length / 2 ** 20).toFixed(1)} MiB: ${files.size} files, with ` +
    `code of ${packages.length} packages.`,
)
