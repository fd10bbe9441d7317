import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openKeyRing } from '../../src/secrets/open-key-ring.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

const original = { watchFile: fs.watchFile, writeFile: fs.promises.writeFile }

/** Replaces functions of Node in every module that has imported them. */
function replace(functions: typeof original): void {
  fs.watchFile = functions.watchFile
  fs.promises.writeFile = functions.writeFile
  syncBuiltinESMExports()
}

test('a new key file is flushed; it is looked at each second, and that lets the process end', async () => {
  await using folder = await temporaryFolder()
  onTestFinished(() => replace(original))
  const options: unknown[] = []
  const noting =
    <Act extends (...parameters: never[]) => unknown>(act: Act, at: number) =>
    (...parameters: Parameters<Act>) => {
      options.push(parameters[at])
      return act(...parameters)
    }
  replace({
    watchFile: noting(original.watchFile as never, 1) as never,
    writeFile: noting(original.writeFile as never, 2) as never,
  })
  const { close } = await openKeyRing(readConfig({ TIWALA_DATA_DIR: folder.path }), () => {})
  await close()
  expect(options).toEqual([
    { mode: 0o600, flush: true },
    { interval: 1_000, persistent: false },
  ])
})
