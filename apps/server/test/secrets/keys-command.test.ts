// The command that changes the key ring.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { RingKey } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

const COMMAND = fileURLToPath(new URL('../../keys.ts', import.meta.url))

test('a removed audit key keeps its public half until a second removal; other keys go at once', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'ring.json')
  await writeFile(file, JSON.stringify({ keys: mintKeys() }))
  const keys = (...words: string[]) =>
    promisify(execFile)(process.execPath, [COMMAND, ...words, '--file', file])
  const ofPurpose = async (purpose: string) =>
    (JSON.parse(await readFile(file, 'utf8')) as { keys: RingKey[] }).keys.filter(
      (key) => key.purpose === purpose,
    )
  const [[audit], [pepper]] = [await ofPurpose('audit'), await ofPurpose('pepper')]
  for (const purpose of ['audit', 'pepper']) await keys('add', purpose, '--in', '0')

  await keys('remove', audit!.kid)
  await keys('remove', pepper!.kid)
  const { d: _, ...publicHalf } = audit!
  expect((await ofPurpose('audit')).filter(({ kid }) => kid === audit!.kid)).toEqual([publicHalf])
  expect((await ofPurpose('pepper')).map(({ kid }) => kid)).not.toContain(pepper!.kid)

  await keys('remove', audit!.kid)
  expect((await ofPurpose('audit')).map(({ kid }) => kid)).not.toContain(audit!.kid)
})
