// Which key rings the server accepts, and what it says about one that it refuses.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { PURPOSES } from '../../src/secrets/key-ring.ts'
import {
  createKeyFile,
  mintKeys,
  openKeyRing,
  requireKeys,
  requirePrivate,
} from '../../src/secrets/open-key-ring.ts'
import { LIVE } from '../kit/live-settings.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

test('a key file that changed after it was read, and before it is watched, is read again', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'keys.json')
  const [before, added] = [mintKeys(), mintKeys().find(({ purpose }) => purpose === 'pepper')!]
  await writeFile(file, JSON.stringify({ keys: [...before, added] }), { mode: 0o600 })
  const changes: object[] = []
  const config = readConfig({ TIWALA_DATA_DIR: folder.path })
  const ring = await openKeyRing(config, () => {}, {
    ringKeys: before,
    onReload: (change) => changes.push(change),
  })
  onTestFinished(ring.close)
  await expect
    .poll(() => changes)
    .toEqual([{ added: [expect.objectContaining({ kid: added.kid, purpose: 'pepper' })], removed: [] }])
})

describe('a key ring that is weak or cannot be read', () => {
  const ring = mintKeys()
  const withKeys = (...keys: object[]) => JSON.stringify({ keys })
  const withKey = (purpose: string, change: object) =>
    withKeys(...ring.map((key) => (key.purpose === purpose ? { ...key, ...change } : key)))
  const half = randomBytes(16).toString('base64url')
  const zeros = Buffer.alloc(32).toString('base64url')
  const other = mintKeys().find(({ purpose }) => purpose === 'audit')!
  test.each([
    [
      'a key that is not random',
      withKey('pepper', { k: zeros }),
      /is not random\. Create it with: npm run keys/,
    ],
    ['a short key', withKey('webhook', { k: 'abcd' }), /is not a key of 256 bits\. Create it/],
    ['a key without a value', withKey('webhook', { k: undefined }), /is not a key of 256 bits\. Create it/],
    ['a pair whose halves do not fit', withKey('audit', { x: other.x }), /is not an Ed25519 key\. Create it/],
    ['a key of 128 bits', withKey('webhook', { k: half }), /is not a key of 256 bits\. Create it/],
    ['a kid with a dot', withKey('pepper', { kid: 'a.b' }), /has an invalid kid/],
    ['a time that is no time', withKey('pepper', { active_from: 'soon' }), /^[^:]+: active_from of the key /],
    [
      'two keys with one kid',
      withKeys(...ring, ring[0]!),
      /Two keys with the purpose "pepper" have the same/,
    ],
    ['no key of a purpose', withKeys(...ring.slice(1)), /lacks a 256-bit key with the purpose "pepper"/],
    ['no audit key', withKeys(...ring.filter(({ purpose }) => purpose !== 'audit')), /lacks a pair with the/],
    ['an audit key of another kind', withKey('audit', { kty: 'oct' }), /is not an Ed25519 key\. Create it/],
    [
      'no private audit key',
      withKey('audit', { d: undefined }),
      /lacks a private key with the purpose "audit"/,
    ],
    ['half a file', '{"keys":[', /is not a JWK set: .* Create one with: npm run keys -- init/],
  ])('%s', async (_what, TIWALA_KEY_RING, message) => {
    const refusal = requireKeys(readConfig({ ...LIVE, TIWALA_KEY_RING }))
    await expect(refusal).rejects.toThrow(message)
    await expect(refusal).rejects.toThrow(/^TIWALA_KEY_RING: /)
    await expect(refusal).rejects.toHaveProperty('cause', expect.any(Error))
  })

  const refusalOfFile = (path: string) =>
    requireKeys(readConfig({ ...LIVE, TIWALA_KEY_RING: '', TIWALA_KEY_RING_FILE: path }))

  test('a file with half a key ring', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'ring.json')
    await writeFile(file, '{"keys":[', { mode: 0o600 })
    await expect(refusalOfFile(file)).rejects.toThrow(
      /^TIWALA_KEY_RING_FILE: The key ring is not a JWK set: .* Create one with: npm run keys -- init$/,
    )
  })

  test('a missing file, a folder and a device', async () => {
    await using folder = await temporaryFolder()
    await expect(refusalOfFile(join(folder.path, 'ring.json'))).rejects.toThrow(
      /^TIWALA_KEY_RING_FILE: cannot read .*ring\.json \(ENOENT\)\. Create it: npm run keys -- init --file /,
    )
    for (const path of [folder.path, '/dev/null'])
      await expect(refusalOfFile(path)).rejects.toThrow(/\(EISDIR\)\. It must be a file/)
  })
})

test('a key ring in the environment is opened without a file', async () => {
  await using folder = await temporaryFolder()
  const ring = mintKeys()
  const settings = { ...LIVE, TIWALA_KEY_RING: JSON.stringify({ keys: ring }), TIWALA_DATA_DIR: folder.path }
  const { keys, close } = await openKeyRing(readConfig(settings), () => {})
  expect(keys.list().map(({ kid }) => kid)).toEqual(ring.map(({ kid }) => kid))
  await close()
  expect(await readdir(folder.path)).toEqual([])
})

test('a key ring in another encoding of JSON text is read, from the environment and from a file', async () => {
  await using folder = await temporaryFolder()
  const ring = mintKeys()
  const text = `\uFEFF${JSON.stringify({ keys: ring })}`
  const read = async (settings: Record<string, string>) => {
    const { keys, close } = await openKeyRing(readConfig({ ...LIVE, ...settings }), () => {})
    await close()
    return keys.list().map(({ kid }) => kid)
  }
  const kids = ring.map(({ kid }) => kid)
  expect(await read({ TIWALA_KEY_RING: text })).toEqual(kids)
  for (const encoding of ['utf8', 'utf16le'] as const) {
    const file = join(folder.path, encoding)
    await writeFile(file, text, { encoding, mode: 0o600 })
    expect(await read({ TIWALA_KEY_RING: '', TIWALA_KEY_RING_FILE: file })).toEqual(kids)
  }
})

test('only the sandbox needs the keys of the sandbox', async () => {
  const keys = mintKeys().filter(({ purpose }) => !purpose.startsWith('sandbox'))
  const TIWALA_KEY_RING = JSON.stringify({ keys })
  await requireKeys(readConfig({ ...LIVE, TIWALA_KEY_RING }))
  await expect(requireKeys(readConfig({ TIWALA_KEY_RING }))).rejects.toThrow('the purpose "sandbox"')
})

describe('the key file of the sandbox', () => {
  const sandbox = (folder: string) => readConfig({ TIWALA_DATA_DIR: folder })

  test('may be missing before the start, but a file that cannot be used stops the start', async () => {
    await using folder = await temporaryFolder()
    await requireKeys(sandbox(folder.path))
    await writeFile(join(folder.path, 'keys.json'), '{"keys":[]}')
    const advice = `If an earlier version created ${folder.path}, delete it: it contains only sandbox data.`
    await expect(requireKeys(sandbox(folder.path))).rejects.toMatchObject({
      message: `The key ring lacks a 256-bit key with the purpose "pepper". ${advice}`,
      cause: expect.any(Error) as Error,
    })
  })

  test('a folder in its place is refused', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'keys.json')
    await mkdir(file)
    const remedy = 'It must be a file that the user of the service may read'
    await expect(requireKeys(sandbox(folder.path))).rejects.toThrow(
      `TIWALA_DATA_DIR: cannot read ${file} (EISDIR). ${remedy}`,
    )
  })

  test('a configured file must exist', async () => {
    await using folder = await temporaryFolder()
    const config = readConfig({ TIWALA_KEY_RING_FILE: join(folder.path, 'ring.json') })
    await expect(requireKeys(config)).rejects.toThrow('(ENOENT)')
    await expect(openKeyRing(config, () => {})).rejects.toThrow('(ENOENT)')
    expect(await readdir(folder.path)).toEqual([])
  })

  test('is not written again if it exists', async () => {
    await using folder = await temporaryFolder()
    await (await openKeyRing(sandbox(folder.path), () => {})).close()
    const { mtimeMs } = await stat(folder.path)
    await (await openKeyRing(sandbox(folder.path), () => {})).close()
    expect((await stat(folder.path)).mtimeMs).toBe(mtimeMs)
  })

  test('a file in the place of its folder is refused', async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, 'data'), '')
    const opening = openKeyRing(sandbox(join(folder.path, 'data')), () => {})
    await expect(opening).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  test('a new file never replaces one that exists', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'ring.json')
    expect(await createKeyFile(file, PURPOSES)).toBe(true)
    const text = await readFile(file, 'utf8')
    expect(await createKeyFile(file, PURPOSES)).toBe(false)
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(await readdir(folder.path)).toEqual(['ring.json'])
    const inMissingFolder = createKeyFile(join(folder.path, 'none', 'ring.json'), PURPOSES)
    await expect(inMissingFolder).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' })
  })
})

describe('a key ring file with permissions for other users', () => {
  const { TIWALA_KEY_RING: _, ...live } = LIVE

  async function refusalOfFile(mode: number, environment = 'live') {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'ring.json')
    await writeFile(file, JSON.stringify({ keys: mintKeys() }))
    await chmod(file, mode)
    const settings = { ...live, TIWALA_ENVIRONMENT: environment, TIWALA_KEY_RING_FILE: file }
    return await requireKeys(readConfig(settings)).then(
      () => undefined,
      ({ message }: Error) => message.replace(folder.path, ''),
    )
  }

  test.each([0o644, 0o604, 0o602, 0o660, 0o640, 0o620, 0o610, 0o777])('mode %o is refused', async (mode) => {
    const shown = mode.toString(8).padStart(4, '0')
    expect(await refusalOfFile(mode)).toBe(
      `TIWALA_KEY_RING_FILE: other users can use /ring.json (mode ${shown}). ` +
        'Remove their rights: chmod 0600, or mount the file with that mode.',
    )
  })

  test.each([0o600, 0o400])('mode %o is accepted', async (mode) => {
    expect(await refusalOfFile(mode)).toBeUndefined()
  })

  test('the sandbox does not check the permissions', async () => {
    expect(await refusalOfFile(0o644, 'sandbox')).toBeUndefined()
  })

  test('the sandbox creates its folder and its key ring for its user only', async () => {
    await using folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    const { close } = await openKeyRing(readConfig({ TIWALA_DATA_DIR: dataDir }), () => {})
    await close()
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    expect([await modeOf(dataDir), await modeOf(join(dataDir, 'keys.json'))]).toEqual([0o700, 0o600])
  })

  test('an operating system without file modes: every file is accepted', () => {
    const getuid = process.getuid!
    onTestFinished(() => void (process.getuid = getuid))
    delete (process as { getuid?: unknown }).getuid
    expect(() => requirePrivate('/ring.json', { mode: 0o100_644, uid: 0 })).not.toThrow()
  })

  test('if another user owns the file, its group may read it, as with a mounted secret', () => {
    const check = (mode: number) => () =>
      requirePrivate('/ring.json', { mode: 0o100_000 + mode, uid: process.getuid!() + 1 })
    for (const mode of [0o440, 0o640, 0o400]) expect(check(mode)).not.toThrow()
    for (const mode of [0o444, 0o644, 0o460, 0o450, 0o404]) expect(check(mode)).toThrow(/chmod 0440/)
  })

  test('a symbolic link: the permissions of its target count, at the start and at each change', async () => {
    await using folder = await temporaryFolder()
    const [data, link] = [join(folder.path, '..data'), join(folder.path, 'ring.json')]
    await mkdir(data)
    await writeFile(join(data, 'ring.json'), JSON.stringify({ keys: mintKeys() }), { mode: 0o644 })
    await chmod(join(data, 'ring.json'), 0o644)
    await symlink(join('..data', 'ring.json'), link)
    const config = readConfig({ ...live, TIWALA_KEY_RING_FILE: link })
    await expect(requireKeys(config)).rejects.toThrow('mode 0644')
    await chmod(join(data, 'ring.json'), 0o600)
    await requireKeys(config)
    const refusals: string[] = []
    const { keys, close } = await openKeyRing(config, ({ message }) => void refusals.push(message))
    const before = keys.list()
    await chmod(join(data, 'ring.json'), 0o644)
    await writeFile(join(data, 'ring.json'), JSON.stringify({ keys: mintKeys() }))
    await expect.poll(() => refusals.at(-1), { timeout: 10_000 }).toContain('mode 0644')
    expect(keys.list()).toEqual(before)
    await close()
  })
})
