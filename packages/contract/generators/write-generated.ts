import { writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'

/** Writes a YAML file of spec/ that is generated from other files of spec/. */
export function writeGenerated(spec: URL, path: string, sources: string, content: object): Promise<void> {
  const note = `# Generated from ${sources} by \`npm run generate\`. Do not edit.\n`
  return writeFile(
    new URL(path, spec),
    note + stringify(content, { lineWidth: 110, blockQuote: 'literal', singleQuote: true }),
  )
}
