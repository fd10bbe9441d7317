import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'

const execute = promisify(execFile)
const MAIN = join(import.meta.dirname, '../src/main.ts')
const env = () => ({ ...process.env, TIWALA_OPERATOR_URL: inject('operatorUrl'), TIWALA_OPERATOR_TOKEN: inject('token') })

test('as a process: results on standard output, the exit code, nothing else', async () => {
  const { stdout, stderr } = await execute(process.execPath, [MAIN, 'partner', 'show', 'SANDBOX', '--json'], { env: env() })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({ partner_code: 'SANDBOX' })
  await expect(execute(process.execPath, [MAIN, 'partner', 'show', 'NOBODY'], { env: env() })).rejects.toMatchObject({
    code: 1,
    stdout: '',
  })
})

test('a closed pipe ends it in silence', async () => {
  const { stdout, stderr } = await execute('sh', ['-c', `"${process.execPath}" "${MAIN}" partner list --all --json | true`], { env: env() })
  expect([stdout, stderr]).toEqual(['', ''])
})
