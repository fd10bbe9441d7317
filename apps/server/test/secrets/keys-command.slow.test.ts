// The command that changes the key ring.
import { execFile } from 'node:child_process'
import { chmod, chown, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parseKeys, PURPOSES, type RingKey } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

const COMMAND = fileURLToPath(new URL('../../keys.ts', import.meta.url))
const run = promisify(execFile)

/** Runs the command without the environment of the test. */
const keysCommand = (...words: string[]) => run(process.execPath, [COMMAND, ...words], { env: {} })
/** The message of a command that fails with status 1. */
const mistakeOf = (...words: string[]): Promise<string> =>
  keysCommand(...words).then(
    ({ stdout }) => `done: ${stdout}`,
    ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr}`,
  )

test('init makes a first key ring that only its user can read, and never overwrites a file', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  await keysCommand('init', '--file', file)
  const text = await readFile(file, 'utf8')
  expect(parseKeys(text).map(({ purpose, kty }) => [purpose, kty])).toEqual([
    ...PURPOSES.map((purpose) => [purpose, purpose === 'audit' ? 'OKP' : 'oct']),
    ['id-token-es256', 'EC'],
    ['id-token-rs256', 'RSA'],
    ['sign-in', 'oct'],
  ])
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  expect(await mistakeOf('init', '--file', file)).toBe(
    `1: ${file} exists, and a key ring is never overwritten: name another file. ` +
      'Help: npm run keys -- --help\n',
  )
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('a changed key ring keeps its group and its mode, which the umask would limit', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  await keysCommand('init', '--file', file)
  const uid = process.getuid!()
  // Only root may choose any group.
  const others = uid === 0 ? [65_532] : process.getgroups!()
  const group = others.find((each) => each !== process.getegid!()) ?? process.getegid!()
  await chown(file, uid, group)
  await chmod(file, 0o440)
  await run('sh', [
    '-c',
    'umask 077; exec "$@"',
    'sh',
    process.execPath,
    COMMAND,
    'add',
    'pepper',
    '--file',
    file,
  ])
  const { mode, uid: owner, gid } = await stat(file)
  expect([owner, gid, mode & 0o777]).toEqual([uid, group, 0o440])
  expect(parseKeys(await readFile(file)).length).toBe(PURPOSES.length + 4)
})

test('of several commands at once, each that reports success changed the ring', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  await keysCommand('init', '--file', file)
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () => mistakeOf('add', 'pepper', '--file', file)),
  )
  const kids = outcomes.flatMap((outcome) => /^done: Added (\S+)\./.exec(outcome)?.[1] ?? [])
  expect(kids.length).toBeGreaterThan(0)
  for (const outcome of outcomes)
    expect(outcome).toMatch(/^done: Added |^1: Another command changes .*ring\.json\. If none runs, /)
  const ring = parseKeys(await readFile(file)).map(({ kid }) => kid)
  expect(kids.filter((kid) => !ring.includes(kid))).toEqual([])

  await writeFile(`${file}.new`, '')
  expect(await mistakeOf('add', 'pepper', '--file', file)).toContain(`one was killed: remove ${file}.new.`)
  expect(parseKeys(await readFile(file)).map(({ kid }) => kid)).toEqual(ring)
})

test('--help explains the commands, and every mistake gets one line', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  await keysCommand('init', '--file', file)
  expect((await keysCommand('--help')).stdout).toMatch(/^Usage: npm run keys -- <command> .*\n\n {2}init /)
  const mistakes: [string[], RegExp][] = [
    [[], /No command given/],
    [['init', '--file', join(folder.path, 'none', 'ring.json')], /none\/ring\.json \(ENOENT\): check path/],
    [['list', 'all', '--file', file], /"all" is one word too many/],
    [['list', '--fiel', file], /Unknown option '--fiel'/],
    [['add', 'peper', '--file', file], /There is no purpose "peper"\. Purposes: pepper, /],
    [['add', 'pepper', '--in', 'soon', '--file', file], /--in: must be a number of seconds/],
    [['add', 'pepper', '--in', '-5', '--file', file], /Option '--in' argument is ambiguous/],
    [['remove', 'k1', '--file', file], /There is no key "k1"/],
  ]
  const answers = await Promise.all(mistakes.map(([words]) => mistakeOf(...words)))
  for (const [index, [, message]] of mistakes.entries()) {
    expect(answers[index]).toMatch(message)
    expect(answers[index]).toMatch(/^1: .+ Help: npm run keys -- --help\n$/)
  }
})

test('a removed audit key keeps its public half until a second removal; other keys go at once', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  await writeFile(file, JSON.stringify({ keys: mintKeys() }))
  const keys = (...words: string[]) => keysCommand(...words, '--file', file)
  const ofPurpose = async (purpose: string) =>
    (JSON.parse(await readFile(file, 'utf8')) as { keys: RingKey[] }).keys.filter(
      (key) => key.purpose === purpose,
    )
  const [[audit], [pepper]] = [await ofPurpose('audit'), await ofPurpose('pepper')]
  for (const purpose of ['audit', 'pepper']) await keys('add', purpose, '--in', '0')

  await keys('remove', audit!.kid, '--yes')
  await keys('remove', pepper!.kid, '--unchecked', '--yes')
  const { d: _, ...publicHalf } = audit!
  expect((await ofPurpose('audit')).filter(({ kid }) => kid === audit!.kid)).toEqual([publicHalf])
  expect((await ofPurpose('pepper')).map(({ kid }) => kid)).not.toContain(pepper!.kid)

  await keys('remove', audit!.kid, '--unchecked', '--yes')
  expect((await ofPurpose('audit')).map(({ kid }) => kid)).not.toContain(audit!.kid)
})
