import { stringify } from 'yaml'

/** The text of a YAML file of spec/ that is generated from other files of spec/. */
export const generatedYaml = (sources: string, content: object): string =>
  `# Generated from ${sources} by \`npm run generate\`. Do not edit.\n` +
  stringify(content, { lineWidth: 110, blockQuote: 'literal', singleQuote: true })
