// What partners install: its version, its published versions and its types.
import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  DOWNLOAD,
  manifest,
  readChanges,
  readReleases,
  RELEASES,
  sumsOf,
} from '../../../packages/client/releases.ts'
import { ROOT } from './files.ts'

const releases = readReleases()

describe('the version of the contract', () => {
  const [, newest] = /^## (\S+)/m.exec(readFileSync(join(ROOT, 'spec/CHANGELOG.md'), 'utf8'))!
  const versionIn = (path: string) =>
    /^ +"?version"?: "?([^",\n]+)/m.exec(readFileSync(join(ROOT, path), 'utf8'))?.[1]

  test.each(['partner', 'citizen-app', 'operator'])(
    '%s has that of the newest heading of spec/CHANGELOG.md',
    (name) => {
      expect(versionIn(`spec/${name}/openapi.yaml`), 'Run `npm run generate`').toBe(newest)
      expect(versionIn(`packages/contract/src/generated/${name}.json`), 'Run `npm run generate`').toBe(newest)
    },
  )

  test('no other file says it: the packed client and its list derive it', () => {
    const { versions } = JSON.parse(readFileSync(join(DOWNLOAD, 'index.json'), 'utf8')) as {
      versions: { contract: string }[]
    }
    expect(versions[0]!.contract).toBe(newest)
    expect(manifest.contractVersion).toBe(newest)
    expect(readFileSync(join(ROOT, 'packages/client/package.json'), 'utf8')).not.toContain('contractVersion')
  })
})

describe('the versions of the client', () => {
  test('the newest heading of CHANGELOG.md is the version of the client', () => {
    expect(readChanges()[0]?.version, 'The newest heading in CHANGELOG.md').toBe(manifest.version)
  })

  test('package-lock.json has the version of the client', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string }>
    }
    const { version } = lock.packages['packages/client']!
    expect(version, 'Run `npm install --package-lock-only`').toBe(manifest.version)
  })

  test('each published version has its section in CHANGELOG.md, and the file is unchanged', () => {
    expect(releases.length).toBeGreaterThan(0)
    for (const { version, date, file, size, sha256 } of releases) {
      const bytes = readFileSync(join(RELEASES, file))
      expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256])
      expect(readChanges().find((section) => section.version === version)?.date).toBe(date)
    }
  })

  test('the sums are signed: the commands of README.md verify them, and refuse another key and other sums', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiwala-sign-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const run = promisify(execFile)
    const readme = readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8')
    const [, verify] = /^(openssl .*\n.*)$/m.exec(readme)!
    const writeKeys = (name: string) => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      writeFileSync(join(folder, `${name}.pem`), publicKey.export({ format: 'pem', type: 'spki' }))
      writeFileSync(join(folder, `${name}.key`), privateKey.export({ format: 'pem', type: 'pkcs8' }))
    }
    writeKeys('publisher')
    const script = join(ROOT, 'packages/client/sign.ts')
    await run(process.execPath, [script, 'publisher.key', 'SHA256SUMS.sig'], { cwd: folder })
    const sums = sumsOf(releases)
    const { file } = releases[0]!
    const bytes = readFileSync(join(RELEASES, file))
    const check = async (all: Record<string, string | Buffer>) => {
      for (const [name, content] of Object.entries(all)) writeFileSync(join(folder, name), content)
      return run('bash', ['-ec', verify!], { cwd: folder })
    }
    expect((await check({ SHA256SUMS: sums, [file]: bytes })).stdout).toContain(`${file}: OK`)
    const refusal = (text: string) => ({ stdout: expect.stringContaining(text) as string })
    await expect(check({ [file]: `${bytes.toString()}!` })).rejects.toMatchObject(refusal(`${file}: FAILED`))
    const isNotSigned = refusal('Signature Verification Failure')
    await expect(check({ SHA256SUMS: `${sums}\n`, [file]: bytes })).rejects.toMatchObject(isNotSigned)
    writeKeys('publisher')
    await expect(check({ SHA256SUMS: sums })).rejects.toMatchObject(isNotSigned)
  })

  test('a published version never changes: another build of it has the same content', () => {
    const published = releases.find(({ version }) => version === manifest.version)
    const contentOf = (folder: string, file: string) => gunzipSync(readFileSync(join(folder, file)))
    const isSame =
      !published || contentOf(RELEASES, published.file).equals(contentOf(DOWNLOAD, published.file))
    expect(isSame, 'Set a new version in packages/client/package.json and CHANGELOG.md').toBe(true)
  })
})

test('the types that partners see are those of client.api.txt', async () => {
  const types = readFileSync(join(ROOT, 'packages/client/dist/index.d.ts'), 'utf8')
  // The types of the contract have a comparison of their own: `npm run spec:diff`.
  const own = types
    .split(/^(?=\/\/#region )/m)
    .filter((region) => !region.startsWith('//#region ../contract/src/generated/'))
    .join('')
    .replaceAll(/^ *\/\*\*.*?\*\/\n/gms, '')
  // If the change is wanted, `npm run test:one -- client-package -u` writes the file. Describe the change in CHANGELOG.md
  // of the client.
  await expect(own).toMatchFileSnapshot(join(ROOT, 'packages/client/client.api.txt'))
})

test('a stack can be read: the code keeps its names and lines, and each source map that it names exists', () => {
  const dist = join(ROOT, 'packages/client/dist')
  const files = readdirSync(dist).filter((name) => !name.endsWith('.map'))
  const texts = files.map((name) => readFileSync(join(dist, name), 'utf8'))
  for (const name of ['index.js', 'index.cjs'])
    expect(texts[files.indexOf(name)]).toMatch(/^\tasync function send\(/m)
  const maps = texts.flatMap((text) => [...text.matchAll(/sourceMappingURL=(\S+)/g)].map(([, map]) => map!))
  expect(maps).toHaveLength(3)
  expect(maps.filter((map) => !existsSync(join(dist, map)))).toEqual([])
})

test('two builds at once both succeed, and a reader misses no file meanwhile', async () => {
  const client = join(ROOT, 'packages/client')
  const files = ['dist', 'download'].flatMap((folder) =>
    readdirSync(join(client, folder)).map((name) => join(client, folder, name)),
  )
  const missed = new Set<string>()
  const reader = setInterval(() => {
    for (const file of files) if (!existsSync(file)) missed.add(file)
  }, 1)
  const build = () => promisify(execFile)(process.execPath, ['build.ts'], { cwd: client })
  try {
    await Promise.all([build(), build()])
  } finally {
    clearInterval(reader)
  }
  expect([...missed]).toEqual([])
  expect(readdirSync(client).filter((name) => /^dist-(?!again)/.test(name))).toEqual([])
})
