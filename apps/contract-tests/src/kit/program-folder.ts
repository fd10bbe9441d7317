import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Programs that a test file writes, and runs with Node. They end with the file. */
export async function openProgramFolder() {
  const folder = await mkdtemp(join(import.meta.dirname, '.generated-'))
  const processes: ChildProcess[] = []
  afterAll(async () => {
    for (const child of processes) child.kill()
    await rm(folder, { recursive: true })
  })
  const write = async (name: string, code: string): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, code)
    return file
  }
  /** Returns what the program has printed until now. */
  const run = (file: string, env: Record<string, string>): (() => string) => {
    const child = spawn(process.execPath, [file], { env: { ...process.env, ...env } })
    processes.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    return () => output
  }
  return { write, run }
}
