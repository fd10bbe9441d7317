import { readFile, writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'

/**
 * Writes a YAML file of spec/ that is generated from other files of spec/. A file with the same content is
 * left
 * alone, because `npm run dev` generates again after each change in spec/.
 */
export async function writeGenerated(
  spec: URL,
  path: string,
  sources: string,
  content: object,
): Promise<void> {
  const note = `# Generated from ${sources} by \`npm run generate\`. Do not edit.\n`
  const text = note + stringify(content, { lineWidth: 110, blockQuote: 'literal', singleQuote: true })
  const file = new URL(path, spec)
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text)
}
