// Finds the line of spec/ that says what a break is about. A bundle does not know its files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSpecFile } from '../generator/spec-files.ts'

/**
 * `place` is the path of a break, such as `Profile > photo`: a component, an operation or an event, and then names
 * of keys and parameters on the way, as far as the file still has them. The path of a lifetime names the heading
 * and the row of a table.
 */
export function lineOf(spec: string, document: string, place: string): string {
  const [subject, ...steps] = place.split(' > ')
  const root = `${document}/openapi.yaml`
  const entry = new RegExp(String.raw`^ +${subject}:\s+(?:\{ )?\$ref: (?:\.\./)?([\w/.-]+\.yaml)`, 'm').exec(
    readLines(spec, root).join('\n'),
  )?.[1]
  const own = entry && [`${document}/${entry}`, entry].find((path) => existsSync(join(spec, path)))
  const files = readdirSync(join(spec, document, 'paths')).filter(isSpecFile)
  const paths = files.map((name) => `${document}/paths/${name}`)
  const isOf = (line: string) => [`operationId: ${subject}`, `# ${subject}`].includes(line.trim())
  const file = own ?? paths.find((path) => readLines(spec, path).some(isOf)) ?? root
  const lines = readLines(spec, file)
  let line = Math.max(0, lines.findIndex(isOf))
  for (const step of steps) {
    const name = step.replace(/^(?:\w+ )?/, '')
    const key = `(?:^|[ {'-])(?:name: )?${escaped(name)}'?(?::|$)`
    const row = String.raw`^ *\| ${escaped(step)} +\|`
    const isNext = (text: string, index: number) =>
      index >= line && new RegExp(`${key}|${row}`, 'i').test(text)
    const next = lines.findIndex(isNext)
    if (next >= 0) line = next
  }
  return `spec/${file}:${line + 1}`
}

const readLines = (spec: string, path: string) => readFileSync(join(spec, path), 'utf8').split('\n')

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
