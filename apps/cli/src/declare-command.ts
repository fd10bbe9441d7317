import { Argument, type Command, Option } from 'commander'
import { api } from '#api'
import { callOperation, WATCH_SECONDS } from './call-operation.ts'
import type { CommandOverride, Options } from './command-context.ts'
import { commands } from './commands.ts'
import { isPaged, type OperationId, operationOf, requestBodyOf, resolve, tagOf } from './document.ts'
import { needsFile, type Parameter, parametersOf } from './parameters.ts'
import { parseValue, placeholderOf } from './parse-value.ts'

type RunCommand = (id: OperationId, args: unknown[], options: Options) => Promise<void>

/** Declares the command of an operation. Its arguments and options come from the operator document. */
export function declareCommand(
  program: Command,
  id: OperationId,
  override: CommandOverride,
  runCommand: RunCommand,
): void {
  const [noun, verb] = commands[id].split(' ') as [string, string | undefined]
  const command = verb ? groupOf(program, noun, id).command(verb) : program.command(noun)
  const { summary, description } = operationOf(id)
  command.summary(summary).description((override.description ?? description).replaceAll(/\s+/g, ' ').trim())
  for (const parameter of parametersOf(id)) {
    if (parameter.inputPath[0] === 'path') command.addArgument(toArgument(parameter))
    else command.addOption(toOption(parameter, override.defaults?.[parameter.name]))
  }
  if (needsFile(id)) command.requiredOption('--file <path>', `${fileDescription(id)}; "-" for standard input`)
  if (isPaged(id)) command.option('--all', 'show all pages; with --output json, each row is one line')
  if (api.destructive[id]) command.option('--yes', 'do not ask for confirmation')
  if (override.handle === callOperation)
    if (api.routes[id].method === 'get')
      command.option(
        '--watch [seconds]',
        `show it again and again (default: every ${WATCH_SECONDS} s) until Ctrl+C`,
      )
    else command.option('--dry-run', 'show the request, and send nothing')
  override.addOptions?.(command)
  command.action(() => runCommand(id, command.processedArgs, command.optsWithGlobals()))
}

/** Returns the command that groups the commands of a noun, for example `partner`. */
export function groupOf(program: Command, noun: string, id: OperationId): Command {
  const group = program.commands.find((command) => command.name() === noun)
  return group ?? program.command(noun).description(tagOf(id).description).helpCommand(false)
}

const toArgument = ({ name, schema, description }: Parameter): Argument =>
  new Argument(`<${name}>`, description).argParser((text: string) => parseValue(schema, text, undefined))

function toOption({ name, schema, description, isRequired }: Parameter, defaultValue?: unknown): Option {
  const isMandatory = isRequired && defaultValue === undefined
  const help = `${description}${isMandatory ? ' Required.' : ''}`.trim()
  const placeholder = placeholderOf(schema)
  // An option that is true or false is true without a value.
  const option = new Option(`--${name} ${placeholder === 'boolean' ? '[boolean]' : `<${placeholder}>`}`, help)
  const choices = schema.enum ?? resolve(schema.items ?? {}).enum
  if (choices) option.choices(choices)
  option.argParser((text: string, previous: unknown) =>
    parseValue(schema, text, previous === defaultValue ? undefined : previous),
  )
  return defaultValue === undefined ? option.makeOptionMandatory(isMandatory) : option.default(defaultValue)
}

const fileDescription = (id: OperationId): string =>
  requestBodyOf(id)!.type === 'application/json'
    ? `JSON file with the fields ${Object.keys(requestBodyOf(id)!.schema.properties!).join(', ')}`
    : 'NDJSON file: one JSON object per line'
