// Reads the files of spec/ from which others are generated, and names their lines in errors.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getLineColLocation, Source } from '@redocly/openapi-core'
import { parse, type YAMLParseError } from 'yaml'

/** Editors and systems write other files beside these: `.a.yaml.swp`, `a.yaml~`, `.#a.yaml`, `.DS_Store`. */
export const isSpecFile = (path: string): boolean => /(?:^|[/\\])\w[^/\\]*\.ya?ml$/.test(path)

/** The place of a value in a file of spec/: `spec/file.yaml:line:column`. */
export function placeOf(spec: string, path: string, pointer: string): string {
  const file = join(spec, path)
  const source = new Source(file, readFileSync(file, 'utf8'))
  const { start } = getLineColLocation({ source, pointer, reportOnKey: true })
  return `spec/${path}:${start.line}:${start.col}`
}

export function readYaml(spec: string, path: string): unknown {
  try {
    return parse(readFileSync(join(spec, path), 'utf8'), { merge: true })
  } catch (error) {
    const { linePos: [start] = [], message } = error as YAMLParseError
    throw new Error(`spec/${path}:${start?.line ?? 1}:${start?.col ?? 1} ${message.split('\n')[0]}`, {
      cause: error,
    })
  }
}
