// Edits a key ring file: `npm run keys -- list|add|remove`. The service notices a change within a second.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parseKeys, type Purpose, PURPOSES } from './src/secrets/key-ring.ts'
import { mintKey } from './src/secrets/open-key-ring.ts'

const USAGE = `Usage: npm run keys -- <command> --file <key ring>

  list                              lists the keys, without their secret parts
  add <purpose> [--in <seconds>]    adds a key, which becomes current for its purpose after that time
                                    (default: 60 seconds)
  remove <kid>                      removes a key; data that still needs it is lost (see "tiwala key list").
                                    The public half of an audit key stays

Purposes: ${PURPOSES.join(', ')}.
The default of --file is TIWALA_KEY_RING_FILE, then .tiwala/keys.json (the sandbox).
Give the new file to every process before its key becomes current. --in sets the time for that.`

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
  if (command === 'list')
    return console.table(keys.map(({ kid, purpose, active_from }) => ({ kid, purpose, active_from })))
  if (command === 'add') {
    if (!(PURPOSES as readonly string[]).includes(what ?? ''))
      throw new Error(`There is no purpose "${what ?? ''}".`)
    const seconds = Number(values.in)
    if (!(seconds >= 0)) throw new Error('--in: must be a number of seconds.')
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
      `Removed the private half of ${what}. The public half stays: it verifies earlier signatures. ` +
        'Run the command again to remove it, too.',
    )
  }
  throw new Error(command ? `There is no command "${command}".` : 'No command given.')
}

/** Replaces the file at once, and never writes a ring that lacks a key of a purpose. */
async function write(ring: { keys: unknown[] }): Promise<void> {
  const text = JSON.stringify(ring, null, 2)
  parseKeys(text)
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}
