import { Argument, type Command, Option } from 'commander'
import { commands } from './commands.ts'
import { dangers } from './confirm.ts'
import { bodyOf, isPaged, type OperatorId, operationOf, resolve, tagOf } from './document.ts'
import { needsFile, type Parameter, parametersOf } from './parameters.ts'
import { placeholderOf, readValue } from './read-value.ts'
import { wayOf } from './ways.ts'
import type { Options } from './work.ts'

type Begin = (id: OperatorId, args: unknown[], options: Options) => Promise<void>

/** An operation's command: everything that it takes comes from the document. */
export function declareCommand(program: Command, id: OperatorId, begin: Begin): void {
  const [noun, verb] = commands[id].split(' ') as [string, string | undefined]
  const command = verb ? groupOf(program, noun, id).command(verb) : program.command(noun)
  const { summary, description } = operationOf(id)
  const way = wayOf(id)
  command.summary(summary).description((way.description ?? description).replaceAll(/\s+/g, ' ').trim())
  for (const parameter of parametersOf(id)) {
    if (parameter.place[0] === 'path') command.addArgument(toArgument(parameter))
    else command.addOption(toOption(parameter, way.usual?.[parameter.name]))
  }
  if (needsFile(id)) command.requiredOption('--file <path>', `${fileDescription(id)}; "-" for standard input`)
  if (isPaged(id)) command.option('--all', 'every page; with --json a row on each line')
  if (dangers[id]) command.option('--yes', 'do not ask for confirmation')
  way.addOptions?.(command)
  command.action(() => begin(id, command.processedArgs, command.optsWithGlobals()))
}

/** The command that holds all of a noun's. */
export function groupOf(program: Command, noun: string, id: OperatorId): Command {
  const known = program.commands.find((each) => each.name() === noun)
  return known ?? program.command(noun).description(tagOf(id).description).helpCommand(false)
}

const toArgument = ({ name, schema, description }: Parameter): Argument =>
  new Argument(`<${name}>`, description).argParser((text: string) => readValue(schema, text, undefined))

function toOption({ name, schema, description, isRequired }: Parameter, usual?: unknown): Option {
  const isMandatory = isRequired && usual === undefined
  const option = new Option(`--${name} <${placeholderOf(schema)}>`, `${description}${isMandatory ? ' Required.' : ''}`.trim())
  const choices = schema.enum ?? resolve(schema.items ?? {}).enum
  if (choices) option.choices(choices)
  option.argParser((text: string, before: unknown) => readValue(schema, text, before === usual ? undefined : before))
  return usual === undefined ? option.makeOptionMandatory(isMandatory) : option.default(usual)
}

const fileDescription = (id: OperatorId): string =>
  bodyOf(id)!.type === 'application/json'
    ? `the body, as JSON: ${Object.keys(bodyOf(id)!.schema.properties!).join(', ')}`
    : 'the lines of JSON (NDJSON)'
