// Fault injection. `node --import` loads this file before the server. It replaces one text in one source
// file, as the environment variable FAULT says. Example:
// {"file":"app.ts","from":"captureValidatedBody,","to":""}.
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** `file`: the path below src. `from` must occur exactly once. */
export type Fault = { file: string; from: string; to: string }

const value = process.env['FAULT']
if (value) injectFault(JSON.parse(value) as Fault)

function injectFault({ file, from, to }: Fault): void {
  const { href } = new URL(`../src/${file}`, import.meta.url)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (url !== href) return loaded
      const parts = Buffer.from(loaded.source as Uint8Array)
        .toString()
        .split(from)
      // Without this check, the test would run against an unchanged server.
      if (parts.length !== 2)
        throw new Error(`FAULT: found the text ${parts.length - 1} times in ${file}: ${from}`)
      writeSync(2, `fault injected in ${file}\n`)
      return { ...loaded, source: parts.join(to) }
    },
  })
}
