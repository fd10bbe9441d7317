import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@tiwala/server/testing-resources'
import { expect, test } from 'vitest'
import { copyRepository, hashArchive, run } from './build.ts'

/** Builds everything, except sites of the documentation that are there. Nothing comes from a cache. */
async function build(
  folder: string,
  umask: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  await run('sh', ['-c', `umask ${umask}; exec npm run --silent release -- --force`], {
    cwd: folder,
    env: { ...process.env, ...env },
    signal,
  })
  return hashArchive(folder)
}

// Not another folder: the names of scoped styles in the documentation depend on its path.
test('a second build, with another umask, time zone and locale, gives the same bytes', async ({ signal }) => {
  await using folder = await temporaryFolder()
  await copyRepository(folder.path)
  const first = await build(folder.path, '022', { TZ: 'UTC', LC_ALL: 'C.UTF-8' }, signal)
  // One site, since each takes long to build.
  await rm(join(folder.path, 'apps/docs/dist/live.operator'), { recursive: true })
  expect(await build(folder.path, '077', { TZ: 'Asia/Manila', LC_ALL: 'C' }, signal)).toBe(first)
})
