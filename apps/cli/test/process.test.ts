import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'

const execFileAsync = promisify(execFile)
const MAIN = join(import.meta.dirname, '../src/main.ts')
const env = () => ({
  ...process.env,
  TIWALA_OPERATOR_URL: inject('operatorUrl'),
  TIWALA_OPERATOR_TOKEN: inject('token'),
})

test('the process prints results to standard output and ends with the exit code', async () => {
  const { stdout, stderr } = await execFileAsync(
    process.execPath,
    [MAIN, 'partner', 'show', 'SANDBOX', '--json'],
    { env: env() },
  )
  expect(stderr).toMatch(/^ETag: "\w+"\n$/)
  expect(JSON.parse(stdout)).toMatchObject({ partner_code: 'SANDBOX' })
  await expect(
    execFileAsync(process.execPath, [MAIN, 'partner', 'show', 'UNKNOWN'], { env: env() }),
  ).rejects.toMatchObject({
    code: 1,
    stdout: '',
  })
})

test('a file may be a pipe', async () => {
  const command = `"${process.execPath}" "${MAIN}" citizen import --file <(echo '{')`
  await expect(execFileAsync('bash', ['-c', command], { env: env() })).rejects.toMatchObject({
    code: 1,
    stdout: 'line 1: is not JSON\n',
  })
})

test('3: standard output is on a full disk', async () => {
  const command = `"${process.execPath}" "${MAIN}" partner list > /dev/full`
  await expect(execFileAsync('sh', ['-c', command], { env: env() })).rejects.toMatchObject({
    code: 3,
    stderr: 'The output cannot be written: ENOSPC.\n',
  })
})

test('a closed pipe ends the process without an error message', async () => {
  const { stdout, stderr } = await execFileAsync(
    'sh',
    ['-c', `"${process.execPath}" "${MAIN}" partner list --all --json | true`],
    {
      env: env(),
    },
  )
  expect([stdout, stderr]).toEqual(['', ''])
})
