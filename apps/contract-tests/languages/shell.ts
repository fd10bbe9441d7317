import { spawn } from 'node:child_process'

const MAX_MS = 60 * 60_000

/** Runs commands in bash, at low priority. Returns their whole output, or throws with the end of it. */
export async function run(
  commands: string,
  folder: string,
  env: Record<string, string> = {},
): Promise<string> {
  const shell = spawn('nice', ['-n', '10', 'bash', '-euo', 'pipefail', '-c', commands], {
    cwd: folder,
    // Warnings of npm are about its settings. Warnings of a generator fail the check.
    env: { ...process.env, npm_config_loglevel: 'error', COMPOSER_ALLOW_SUPERUSER: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MAX_MS,
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve) => shell.on('close', resolve))
  if (code !== 0) throw new Error(`This failed (${code}):\n${commands}\n${output.slice(-2_000)}`)
  return output
}

/** The tools of a list that are not installed. */
export async function missing(tools: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    tools.map((tool) =>
      run(`command -v ${tool}`, '/').then(
        () => true,
        () => false,
      ),
    ),
  )
  return tools.filter((_, index) => !found[index])
}
