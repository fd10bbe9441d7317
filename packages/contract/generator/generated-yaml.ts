import { stringify } from 'yaml'

/** How a generated file of spec/ begins. */
export const GENERATED_FROM = '# Generated from '

/** The text of a YAML file of spec/ that is generated from other files of spec/. */
export const generatedYaml = (sources: string, content: object): string =>
  `${GENERATED_FROM}${sources} by \`npm run generate\`. Do not edit.\n` +
  stringify(content, { lineWidth: 110, blockQuote: 'literal', singleQuote: true })
