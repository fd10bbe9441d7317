import { Argument, type Command, Option } from 'commander'
import type { Options } from './command-context.ts'
import { overrideOf } from './command-overrides.ts'
import { commands } from './commands.ts'
import { DESTRUCTIVE } from './confirm.ts'
import { requestBodyOf, isPaged, type OperatorId, operationOf, resolve, tagOf } from './document.ts'
import { needsFile, type Parameter, parametersOf } from './parameters.ts'
import { placeholderOf, parseValue } from './parse-value.ts'

type OnRun = (id: OperatorId, args: unknown[], options: Options) => Promise<void>

/** An operation's command: everything that it takes comes from the document. */
export function declareCommand(program: Command, id: OperatorId, onRun: OnRun): void {
  const [noun, verb] = commands[id].split(' ') as [string, string | undefined]
  const command = verb ? groupOf(program, noun, id).command(verb) : program.command(noun)
  const { summary, description } = operationOf(id)
  const override = overrideOf(id)
  command.summary(summary).description((override.description ?? description).replaceAll(/\s+/g, ' ').trim())
  for (const parameter of parametersOf(id)) {
    if (parameter.inputPath[0] === 'path') command.addArgument(toArgument(parameter))
    else command.addOption(toOption(parameter, override.defaults?.[parameter.name]))
  }
  if (needsFile(id)) command.requiredOption('--file <path>', `${fileDescription(id)}; "-" for standard input`)
  if (isPaged(id)) command.option('--all', 'every page; with --json a row on each line')
  if (DESTRUCTIVE[id]) command.option('--yes', 'do not ask for confirmation')
  override.addOptions?.(command)
  command.action(() => onRun(id, command.processedArgs, command.optsWithGlobals()))
}

/** The command that holds all of a noun's. */
export function groupOf(program: Command, noun: string, id: OperatorId): Command {
  const known = program.commands.find((each) => each.name() === noun)
  return known ?? program.command(noun).description(tagOf(id).description).helpCommand(false)
}

const toArgument = ({ name, schema, description }: Parameter): Argument =>
  new Argument(`<${name}>`, description).argParser((text: string) => parseValue(schema, text, undefined))

function toOption({ name, schema, description, isRequired }: Parameter, defaultValue?: unknown): Option {
  const isMandatory = isRequired && defaultValue === undefined
  const option = new Option(`--${name} <${placeholderOf(schema)}>`, `${description}${isMandatory ? ' Required.' : ''}`.trim())
  const choices = schema.enum ?? resolve(schema.items ?? {}).enum
  if (choices) option.choices(choices)
  option.argParser((text: string, before: unknown) => parseValue(schema, text, before === defaultValue ? undefined : before))
  return defaultValue === undefined ? option.makeOptionMandatory(isMandatory) : option.default(defaultValue)
}

const fileDescription = (id: OperatorId): string =>
  requestBodyOf(id)!.type === 'application/json'
    ? `the body, as JSON: ${Object.keys(requestBodyOf(id)!.schema.properties!).join(', ')}`
    : 'the lines of JSON (NDJSON)'
