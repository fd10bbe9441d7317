// Runs the commands of a section of a page for operators.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { killGroupWithParent } from '../src/testing/process-group.ts'

const PAGES = new URL('../', import.meta.url)

/** The blocks of commands of the section, in order. `page`: a file such as `OPERATIONS.md`. */
export async function readCommands(page: string, title: string): Promise<string[]> {
  const sections = (await readFile(new URL(page, PAGES), 'utf8')).split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? ''
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!)
}

/** The same blocks by name. A new block on the page needs a name, so that a test runs it. */
export async function readNamedCommands<Name extends string>(
  page: string,
  title: string,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const blocks = await readCommands(page, title)
  if (blocks.length !== names.length)
    throw new Error(`"${title}" in ${page} has ${blocks.length} blocks. The test has ${names.length}.`)
  return Object.fromEntries(names.map((name, index) => [name, blocks[index]!])) as Record<Name, string>
}

export const replaceAll = (text: string, replacements: Record<string, string>): string =>
  Object.entries(replacements).reduce((changed, [from, to]) => changed.replaceAll(from, to), text)

/**
 * One bash for all blocks, as at a terminal: folder, variables and umask stay. A failing command ends it. It
 * ends with this process at the latest, also in a loop that waits for something.
 */
export function startShell(environment: NodeJS.ProcessEnv, folder: string) {
  const child = spawn('bash', ['-eu', '-o', 'pipefail'], { env: environment, cwd: folder, detached: true })
  killGroupWithParent(child)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => void (stdout += chunk))
  child.stderr.on('data', (chunk) => void (stderr += chunk))
  const ended = new Promise<never>((_resolve, reject) =>
    child.once('close', (code) => reject(new Error(`bash ended with ${code}:\n${stdout}\n${stderr}`))),
  )
  ended.catch(() => {})
  async function run(block: string): Promise<string> {
    stdout = ''
    child.stdin.write(`${block}\necho __END__\n`)
    const done = (async () => {
      while (!stdout.includes('__END__')) await new Promise((resolve) => setTimeout(resolve, 50))
    })()
    await Promise.race([done, ended])
    return stdout.replace('__END__\n', '')
  }
  return { run, end: () => child.stdin.end() }
}
