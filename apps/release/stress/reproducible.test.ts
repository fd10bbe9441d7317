import { temporaryFolder } from '@tiwala/server/testing-resources'
import { expect, test } from 'vitest'
import { copyRepository, hashArchive, run } from './build.ts'

/** Builds everything in a new copy of the repository. Nothing comes from a cache. */
async function build(umask: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  await using folder = await temporaryFolder()
  await copyRepository(folder.path)
  await run('sh', ['-c', `umask ${umask}; exec npm run --silent release -- --force`], {
    cwd: folder.path,
    // The copy has no commit.
    env: { ...process.env, ...env, SOURCE_DATE_EPOCH: '1764028800' },
    signal,
  })
  return await hashArchive(folder.path)
}

test('another folder, umask, time zone and locale give the same bytes', async ({ signal }) => {
  const first = await build('022', { TZ: 'UTC', LC_ALL: 'C.UTF-8' }, signal)
  expect(await build('077', { TZ: 'Asia/Manila', LC_ALL: 'C' }, signal)).toBe(first)
})
