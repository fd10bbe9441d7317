import { execFile } from 'node:child_process'
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { endOf } from './ended.ts'
import { inBackground } from './in-background.ts'

const MAX_LENGTH = 200
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/**
 * The folders of the packages that use the contract, the server first: there a change of the contract fails.
 */
const dependents = (root: string): string[] =>
  ['apps', 'packages']
    .flatMap((folder) => globSync(`${folder}/*/tsconfig.json`, { cwd: root }).map(dirname))
    .filter((folder) =>
      readFileSync(join(root, folder, 'package.json'), 'utf8').includes('"@tiwala/contract"'),
    )
    .toSorted((a, b) => Number(b.endsWith('/server')) - Number(a.endsWith('/server')))

/** `incomplete`: why a package could not be checked. */
export type TypeCheck = { errors: string[]; incomplete: string[] }

/** Returns the type errors of every package that uses the contract, or undefined if it was cancelled. */
export async function checkTypes(root: string, signal: AbortSignal): Promise<TypeCheck | undefined> {
  const cache = join(root, 'node_modules/.cache/tiwala-types')
  mkdirSync(cache, { recursive: true })
  const errors: string[] = []
  const incomplete: string[] = []
  for (const name of dependents(root)) {
    if (signal.aborted) return undefined
    // Incremental: a check takes a quarter of the time when few files have changed.
    const state = ['--incremental', '--tsBuildInfoFile', join(cache, `${basename(name)}.tsbuildinfo`)]
    const args = [TSC, '--pretty', 'false', '-p', name, ...state]
    const output = await new Promise<string>((resolve) => {
      const options = { cwd: root, signal, maxBuffer: Infinity }
      const compiler = execFile(process.execPath, args, options, (error, stdout, stderr) => {
        // The compiler also fails if it finds errors.
        if (error && (compiler.signalCode || !stdout.includes(': error TS')))
          incomplete.push(`The type check of ${name} ended (${endOf(compiler)}).\n${stderr}`.trim())
        resolve(stdout)
      })
      inBackground(compiler, 'types')
    })
    errors.push(
      ...output
        .split(/^(?=\S)/m)
        .filter((error) => error.includes('error TS'))
        .map(shorten),
    )
  }
  // A package that imports the server reports its errors again.
  return signal.aborted ? undefined : { errors: [...new Set(errors)], incomplete }
}

/** The place of an error and the last line of its explanation, which is the most precise one. */
function shorten(error: string): string {
  const [first, ...others] = error.trim().split('\n')
  const place = first!.slice(0, first!.indexOf(': error'))
  return `${place}: ${(others.at(-1) ?? first!.slice(place.length + 2)).trim().slice(0, MAX_LENGTH)}`
}
