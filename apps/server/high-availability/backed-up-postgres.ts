// A PostgreSQL of Debian that pgBackRest backs up and restores: the commands of "Back up with pgBackRest"
// (`OPERATIONS.md`) run word for word. `restore-page.ts` lists what is replaced; pgBackRest gets its folders
// and the port of PostgreSQL from the environment.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readNamedCommands, replaceAll, startShell } from '../stress/page-commands.ts'
import { prepareRestore } from '../stress/restore-page.ts'
import { makeFolder } from './programs.ts'

/** The commands of the page, in its order. */
const COMMANDS = ['archive', 'full', 'incr', 'restore', 'restoreTime'] as const

export async function startBackedUpPostgres(folder: string) {
  const { environment, url } = await prepareRestore(folder)
  const inFolder = (name: string) => join(folder, name)
  for (const name of ['repository', 'log', 'lock']) makeFolder(inFolder(name))
  const shell = startShell(
    {
      ...environment,
      PGBACKREST_CONFIG: inFolder('etc/pgbackrest.conf'),
      PGBACKREST_LOG_PATH: inFolder('log'),
      PGBACKREST_LOCK_PATH: inFolder('lock'),
      PGBACKREST_PG1_PORT: environment.PGPORT,
      PGBACKREST_PG1_USER: environment.PGUSER,
    },
    folder,
  )
  const replacements = {
    '/etc/pgbackrest.conf': inFolder('etc/pgbackrest.conf'),
    '/var/lib/pgbackrest': inFolder('repository'),
    '/var/backups': folder,
  }
  const run = (block: string) => shell.run(replaceAll(block, replacements))
  const commands = await readNamedCommands('OPERATIONS.md', 'Back up with pgBackRest', COMMANDS)

  await run('sudo systemctl start postgresql')
  await run(commands.archive)
  return {
    url,
    backUp: (type: 'full' | 'incr') => run(commands[type]),
    /** Stops, deletes the data and restores them from the repository: all, or as they were at a time. */
    async deleteAndRestore(time?: string): Promise<void> {
      await run('sudo systemctl stop postgresql')
      rmSync(environment.DATA_FOLDER, { recursive: true })
      makeFolder(environment.DATA_FOLDER)
      await run(time ? commands.restoreTime.replace('2026-01-31 12:00:00+00', time) : commands.restore)
    },
    async [Symbol.asyncDispose]() {
      await run('sudo systemctl stop postgresql')
      shell.end()
    },
  }
}
