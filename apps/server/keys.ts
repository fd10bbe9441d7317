// Makes and edits a key ring file: `npm run keys -- init|list|add|remove`. The service notices a change
// within a second.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs, parseEnv } from 'node:util'
import { KEYS_COMMAND } from './src/program.ts'
import {
  createKeyRing,
  parseKeys,
  type Purpose,
  PURPOSES,
  type RingKey,
  SIGN_IN_PURPOSES,
} from './src/secrets/key-ring.ts'
import { createKeyFile, mintKey } from './src/secrets/open-key-ring.ts'

const ALL_PURPOSES: readonly Purpose[] = [...PURPOSES, ...SIGN_IN_PURPOSES]

const USAGE = `Usage: ${KEYS_COMMAND} <command> --file <key ring>

  init                              makes a new key ring with one key for each purpose. It never overwrites
                                    a file, and only your user can read the new one
  list                              lists the keys, without their secret parts
  add <purpose> [--in <seconds>]    adds a key, which becomes current for its purpose after that time
                                    (default: 60 seconds)
  remove <kid>                      removes an old key that no data needs, which it asks the database of
                                    DATABASE_URL, or of the sandbox beside the file. The public half of an
                                    audit key stays

--yes                               remove: does not ask for confirmation
--settings <file>                   remove: reads DATABASE_URL from this file of settings
--unchecked                         remove: does not ask the database. First see "tiwala key list": data
                                    that needs the key is lost

Purposes: ${ALL_PURPOSES.join(', ')}.
The default of --file is TIWALA_KEY_RING_FILE, then .tiwala/keys.json (the sandbox); init needs one of the
first two. Give a changed file to every process before its new key becomes current. --in sets the time for
that.`

const OPTIONS = {
  file: { type: 'string' },
  in: { type: 'string', default: '60' },
  settings: { type: 'string' },
  unchecked: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean' },
} as const

type RemoveOptions = { settings?: string | undefined; unchecked: boolean; yes: boolean }

const COMMANDS = new Set(['init', 'list', 'add', 'remove'])
const TAKES_A_WORD = new Set(['add', 'remove'])

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(`${explain(error)} Help: ${KEYS_COMMAND} --help`)
  process.exit(1)
}

async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  const [command, ...words] = positionals
  if (values.help || command === 'help') return console.log(USAGE)
  if (!command || !COMMANDS.has(command))
    throw new Error(command ? `There is no command "${command}".` : 'No command given.')
  const tooMany = words[TAKES_A_WORD.has(command) ? 1 : 0]
  if (tooMany !== undefined) throw new Error(`"${tooMany}" is one word too many.`)
  const configured = values.file || process.env['TIWALA_KEY_RING_FILE']
  if (command === 'init') return init(configured)
  const file = configured || '.tiwala/keys.json'
  if (command === 'list') return list(await read(file))
  return command === 'add' ? add(file, words[0], values.in) : remove(file, words[0], values)
}

async function init(file: string | undefined): Promise<void> {
  if (!file) throw new Error('init: name the new file with --file.')
  if (!(await createKeyFile(file, ALL_PURPOSES)))
    throw new Error(`${file} exists, and a key ring is never overwritten: name another file.`)
  console.log(
    `Created ${file} with one key for each purpose: ${ALL_PURPOSES.join(', ')}. ` +
      'The user of the service must be able to read it. ' +
      "Keep a copy apart from the database's backups: without it the data cannot be read.",
  )
}

function list(keys: RingKey[]): void {
  console.table(keys.map(({ kid, purpose, active_from }) => ({ kid, purpose, active_from })))
}

async function add(file: string, purpose: string | undefined, inSeconds: string): Promise<void> {
  if (!(ALL_PURPOSES as readonly string[]).includes(purpose ?? ''))
    throw new Error(`There is no purpose "${purpose ?? ''}". Purposes: ${ALL_PURPOSES.join(', ')}.`)
  const seconds = Number(inSeconds)
  if (inSeconds.trim() === '' || !(seconds >= 0)) throw new Error('--in: must be a number of seconds.')
  const key = mintKey(purpose as Purpose, new Date(Date.now() + seconds * 1000))
  await change(file, (keys) => {
    if (purpose === 'sign-in' && keys.some((each) => each.purpose === purpose))
      throw new Error('A second sign-in key would give every citizen another sub at every partner.')
    return [...keys, key]
  })
  console.log(`Added ${key.kid}. It is the current ${purpose} key from ${key.active_from} on.`)
}

async function remove(file: string, kid: string | undefined, options: RemoveOptions): Promise<void> {
  const keys = await read(file)
  const key = keys.find((each) => each.kid === kid)
  if (!key) throw new Error(`There is no key "${kid ?? ''}".`)
  const current = keys.find((each) => each.kid === createKeyRing(() => keys).current(key.purpose).kid)!
  if (key === current)
    throw new Error(
      `${kid} is the current ${key.purpose} key. Add another one first, and wait until it is current.`,
    )
  const withoutIt = (present: RingKey[]) => present.filter((each) => each.kid !== kid)
  if (key.purpose !== 'audit' || !key.d) {
    await ifUnused(file, key, current, options, async () => {
      await confirm(key, 'Values that were made with it can never be read or checked again.', options)
      await change(file, withoutIt)
    })
    return console.log(`Removed ${kid}.`)
  }
  await confirm(key, 'It can never sign again.', options)
  const { d: _, ...publicHalf } = key
  await change(file, (present) => [...withoutIt(present), publicHalf])
  console.log(
    `Removed the private half of ${kid}. The public half stays: it verifies earlier signatures. ` +
      'Run the command again to remove it, too.',
  )
}

/** Throws unless the administrator types the kid. */
async function confirm({ kid, purpose }: RingKey, warning: string, { yes }: RemoveOptions): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY)
    throw new Error(
      'remove: needs a confirmation, and there is no terminal to ask at. To continue, add --yes.',
    )
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl+C and Ctrl+D also mean no.
  const answer = terminal
    .question(`This removes the ${purpose} key ${kid}. ${warning}\nType ${kid} to confirm: `)
    .catch(() => '')
  const typed = await Promise.race([answer, once(terminal, 'close').then(() => '')])
  terminal.close()
  if (typed.trim() !== kid) throw new Error('remove: not confirmed; nothing was removed.')
}

/** Runs `act` if the database has nothing that needs the key. */
async function ifUnused(
  file: string,
  key: RingKey,
  successor: RingKey,
  { settings, unchecked }: RemoveOptions,
  act: () => Promise<void>,
): Promise<void> {
  if (unchecked) return act()
  const fromFile = settings === undefined ? {} : parseEnv(await readFile(settings, 'utf8'))
  const databaseUrl = process.env['DATABASE_URL'] || fromFile['DATABASE_URL']
  const dataDir = dirname(file)
  if (!databaseUrl && !existsSync(join(dataDir, 'database')))
    throw new Error(
      `remove: cannot ask the database whether data needs ${key.kid}. Set DATABASE_URL, or give the file of ` +
        'settings with --settings. If "tiwala key list" says that nothing needs the key, add --unchecked.',
    )
  // Imported here, because no other command needs the database.
  const { removeUnusedKey } = await import('./src/keys/remove-key.ts')
  await removeUnusedKey({ databaseUrl, dataDir }, key, successor, act)
}

async function read(file: string): Promise<RingKey[]> {
  return parseKeys(await readFile(file))
}

/**
 * Replaces the file at once, and never writes a ring that lacks a key of a purpose. The file keeps its owner, its
 * group and its mode, so that the service can still read it if root changes it. One command at a time changes it: the
 * draft is also the lock, and the keys are read under it.
 */
async function change(file: string, changed: (keys: RingKey[]) => unknown[]): Promise<void> {
  const target = await realpath(file)
  const { mode, uid, gid } = await stat(target)
  const draft = `${target}.new`
  await writeFile(draft, '', { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new Error(`Another command changes ${file}. If none runs, one was killed: remove ${draft}.`)
  })
  try {
    const text = JSON.stringify({ keys: changed(await read(target)) }, null, 2)
    parseKeys(text)
    await writeFile(draft, text, { flush: true })
    await chown(draft, uid, gid)
    // The umask limits the mode of a new file.
    await chmod(draft, mode & 0o777)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** One line: what is wrong. */
function explain(error: unknown): string {
  const { message, code = '', path } = error as NodeJS.ErrnoException
  // A new file is written under a longer name first.
  const file = path?.replace(/\.(new|[\da-f-]{36})$/, '')
  if (file !== undefined) return `Cannot use the file ${file} (${code}): check path and permissions.`
  // The errors of `parseArgs` have more sentences, about positional arguments and dashes.
  return code.startsWith('ERR_PARSE_ARGS') ? `${message.split(/\. |\n/)[0]!.replace(/\.$/, '')}.` : message
}
