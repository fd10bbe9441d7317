// `npm run dev` over a copy of the repository.
import { execFileSync, spawn } from 'node:child_process'
import { expect, onTestFinished, vi } from 'vitest'
import { killGroupWithParent } from '../src/testing/process-group.ts'
import { freePort } from '../src/testing/start-service.ts'

// Without `tsconfig.json`, so that no types are checked.
export const DEV_TREE = [
  'package.json',
  'spec',
  'redocly.yaml',
  'packages/contract/package.json',
  'packages/contract/generate.ts',
  'packages/contract/generator',
  'packages/contract/bundle.ts',
  'packages/contract/lint',
  'packages/contract/src',
  'apps/server/package.json',
  'apps/server/dev',
  'apps/server/src',
  'apps/server/pages',
  'apps/server/migrations',
]

/** Starts `npm run dev` in the tree. The process and its children end with the test at the latest. */
export async function startDev(tree: string, settings: Record<string, string>) {
  const port = await freePort()
  const child = spawn(process.execPath, ['apps/server/dev/main.ts'], {
    cwd: tree,
    env: { PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'warn', ...settings },
    detached: true,
  })
  onTestFinished(killGroupWithParent(child))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void (output += chunk))
  /** Waits until the texts are printed, in any order, and forgets the output up to the last one. */
  const printed = async (...texts: string[]) => {
    const isPrinted = () => texts.every((text) => output.includes(text))
    await vi.waitUntil(() => isPrinted() || child.exitCode !== null, { timeout: 60_000, interval: 20 })
    for (const text of texts) expect(output).toContain(text)
    output = output.slice(Math.max(...texts.map((text) => output.indexOf(text) + text.length)))
  }
  return { child, rest: () => output, url: `http://localhost:${port}`, printed }
}

/** The ids of the child processes whose command contains the text, the oldest first. */
export function childrenOf(parent: number, text: string): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const ids: number[] = []
  for (const line of listed.split('\n')) {
    const [, id, parentId, command] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []
    if (Number(parentId) === parent && command!.includes(text)) ids.push(Number(id))
  }
  return ids.toSorted((a, b) => a - b)
}
