import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { localActor } from '../../src/audit/local-actor.ts'

test('the actor of a command is the user by name, or by number if it has no name, as in a container', () => {
  expect(localActor()).toBe(`local:${userInfo().username}`)
  const refuse = () => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)')
  }
  expect(localActor(refuse)).toBe(`local:${process.getuid!()}`)
})
