// Loaded before the server (`node --import`): replaces one text of one of its files by another, as if a part had been taken out.
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** `file`: within src. */
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
      // Else the drill would go on, and prove nothing.
      if (parts.length !== 2) throw new Error(`FAULT: the text stands ${parts.length - 1} times in ${file}: ${from}`)
      writeSync(2, `fault injected in ${file}\n`)
      return { ...loaded, source: parts.join(to) }
    },
  })
}
