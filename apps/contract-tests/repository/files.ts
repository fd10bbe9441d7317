import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

export type SourceFile = { path: string; text: string; lines: number }

/** Every hand-written file that git tracks or would track. */
export function handWritten(pattern: RegExp): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
  return listed
    .split('\n')
    .filter((path) => pattern.test(path) && !path.includes('/generated/'))
    .flatMap((path) => {
      const text = readIfThere(path)
      return text === undefined ? [] : [{ path, text, lines: text.split('\n').length - 1 }]
    })
}

/** Listed files may have been deleted since. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return undefined
  }
}

/** The files in which something was found, for a message that says where. */
export const pathsOf = (files: SourceFile[]) => files.map(({ path }) => path)
