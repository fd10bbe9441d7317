// The key ring in a file: `npm run keys -- list|add|remove`. The service notices a changed file within a second.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parseKeys, type Purpose, PURPOSES } from './src/secrets/key-ring.ts'
import { mintKey } from './src/secrets/open-key-ring.ts'

const USAGE = `Usage: npm run keys -- <command> --file <key ring>

  list                              the keys, without the keys
  add <purpose> [--in <seconds>]    a new key, the current one of its purpose from then on (default: in 60 seconds)
  remove <kid>                      takes a key out; what still needs it is lost (see the operation listKeys). Of an audit key
                                    the public half stays

Purposes: ${PURPOSES.join(', ')}. --file is also read from TIWALA_KEY_RING_FILE; the sandbox's is .tiwala/keys.json.
Give every process the new file before its key becomes current: that is what --in is for.`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string' }, in: { type: 'string', default: '60' } },
})
const file = values.file ?? process.env['TIWALA_KEY_RING_FILE'] ?? '.tiwala/keys.json'

try {
  await run(positionals)
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  process.exit(1)
}

async function run([command, what]: string[]): Promise<void> {
  const keys = parseKeys(await readFile(file, 'utf8'))
  if (command === 'list') return console.table(keys.map(({ kid, purpose, active_from }) => ({ kid, purpose, active_from })))
  if (command === 'add') {
    if (!(PURPOSES as readonly string[]).includes(what ?? '')) throw new Error(`There is no purpose "${what ?? ''}".`)
    const seconds = Number(values.in)
    if (!(seconds >= 0)) throw new Error('--in is a number of seconds.')
    const key = mintKey(what as Purpose, new Date(Date.now() + seconds * 1000))
    await write({ keys: [...keys, key] })
    return console.log(`Added ${key.kid}. It is the current ${what} key from ${key.active_from} on.`)
  }
  if (command === 'remove') {
    const key = keys.find(({ kid }) => kid === what)
    if (!key) throw new Error(`There is no key "${what ?? ''}".`)
    const others = keys.filter(({ kid }) => kid !== what)
    if (key.purpose !== 'audit' || !key.d) {
      await write({ keys: others })
      return console.log(`Removed ${what}.`)
    }
    const { d: _, ...publicHalf } = key
    await write({ keys: [...others, publicHalf] })
    return console.log(
      `Removed the private half of ${what}. The public half stays: it verifies what was signed. A second time removes it, too.`,
    )
  }
  throw new Error(command ? `There is no command "${command}".` : 'What is to be done?')
}

/** Whole or not at all, and never without a key of every purpose. */
async function write(ring: { keys: unknown[] }): Promise<void> {
  const text = JSON.stringify(ring, null, 2)
  parseKeys(text)
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}
