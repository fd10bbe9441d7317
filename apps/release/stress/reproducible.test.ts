import { temporaryFolder } from '@tiwala/server/testing-resources'
import { expect, test } from 'vitest'
import { copyRepository, hashArchive, pack, run } from './build.ts'

test('another folder, umask, time zone and locale give the same bytes', async () => {
  await using folder = await temporaryFolder()
  await copyRepository(folder.path)
  // Everything is built, nothing comes from a cache.
  await run('sh', ['-c', 'umask 077; exec npm run --silent release -- --force'], {
    cwd: folder.path,
    env: { ...process.env, TZ: 'Asia/Manila', LC_ALL: 'C' },
  })
  await pack()
  expect(await hashArchive(folder.path)).toBe(await hashArchive())
})
