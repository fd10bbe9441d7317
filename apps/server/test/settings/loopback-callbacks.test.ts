// Events go to servers on the same machine only if they are those of the sandbox's own developer.
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'

test.each([
  ['a sandbox on this machine', {}, true],
  ['a sandbox at 127.0.0.1', { TIWALA_PUBLIC_URL: 'http://127.0.0.1:8080' }, true],
  ['a public sandbox', { TIWALA_PUBLIC_URL: 'https://sandbox.example' }, false],
])('%s', (_name, settings, expected) => {
  expect(readConfig(settings).allowLoopbackCallbacks).toBe(expected)
})
