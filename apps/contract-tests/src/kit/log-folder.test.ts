import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { logFolder } from './log-folder.ts'

const searchFor = async (value: string) => {
  const { path, search } = await logFolder()
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  await writeFile(join(path, 'server.log'), `{"level":"info","value":"${value}"}\n`)
  return search()
}

test.each([
  ['a JWT', 'eyJhbGciOiJFZERTQSJ9.eyJzdWJqZWN0IjoiIn0.c2ln'],
  ['a JWE without an encrypted key', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..aXY.dGV4dA.dGFn'],
  ['a secret token', 'twt_test_secret'],
  ['a webhook secret', 'whsec_c2VjcmV0'],
])('the search of the logs finds %s', async (_, value) => {
  await expect(searchFor(value)).rejects.toThrow('The logs hold secrets or personal data, 1 times')
})

test('the root of a checkpoint that begins like a token is none', async () => {
  await expect(searchFor('eyJ2HdWuXuAy6vNIkq5PA0isAQihYw-9Bd6betbTpFw')).resolves.toBeUndefined()
})
