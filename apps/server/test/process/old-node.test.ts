// Started by an older Node, every program says in one line what to do.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const AS_NODE_20 =
  'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })'

test.each(['server/main.js', 'server/keys.js', 'cli/tiwala.js'])('%s', async (program) => {
  const path = fileURLToPath(new URL(`../../../${program}`, import.meta.url))
  await expect(
    promisify(execFile)(process.execPath, ['--import', AS_NODE_20, path], { env: {} }),
  ).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Tiwala needs Node 24 or later, and this is 20\.20\.2 .*\bnpx\b.*\n$/),
  })
})
