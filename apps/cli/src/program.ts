// What the program of administrators and that of a partner's people share.
import { Command, Option } from 'commander'
import { api } from '#api'
import { buildInput } from './build-input.ts'
import { callOperation } from './call-operation.ts'
import type { CommandOverride, Options } from './command-context.ts'
import { commands } from './commands.ts'
import { apiUrlOf, connect } from './connect.ts'
import { declareCommand } from './declare-command.ts'
import type { OperationId } from './document.ts'
import { escapeLines } from './escape-text.ts'
import { adviceOnKey, type ErrorContext, EXIT_CODE, formatError } from './format-error.ts'
import { type Io, printMessage } from './io.ts'
import { login, type LoginOptions } from './login.ts'
import { OUTPUTS } from './print-value.ts'
import { UsageError } from './usage-error.ts'

/** The exit code that a shell reports for a program that Ctrl+C ended. */
const INTERRUPTED = 130

type Texts = { description: string; version: string; footer: string }

export function createProgram(io: Io, texts: Texts, overrideOf?: (id: OperationId) => CommandOverride) {
  const errorContext: ErrorContext = {}
  let exitCode: number = EXIT_CODE.done
  const setExitCode = (code: number | void) => void (exitCode = code ?? EXIT_CODE.done)
  /** Checks the options that all commands share, and returns the shared part of the command context. */
  const prepare = (options: Options, id?: OperationId) => {
    const { file, export: exported, keys, kept, replay } = options
    if (options.tokenFile === '-' && [file, exported, keys, kept, replay].includes('-'))
      throw new UsageError('Standard input can be read only once. Give the token or the file by its path.')
    const url = apiUrlOf(io, options)
    Object.assign(errorContext, { id, url })
    return { io, options, connect: () => connect(io, url, options) }
  }
  const program = createCommand(io, texts)
  const printAdvice = () => {
    const advice = adviceOnKey(errorContext)
    if (advice) printMessage(io, advice)
  }
  // A secret that cannot be written is lost. The listener that ends the process comes after this one.
  io.stdout.prependListener('error', printAdvice)
  const interrupt = () => {
    printAdvice()
    process.exit(INTERRUPTED)
  }
  for (const id of Object.keys(commands) as OperationId[]) {
    const override = overrideOf?.(id) ?? { handle: callOperation }
    declareCommand(program, id, override, async (_, args, options) => {
      const prepared = prepare(options, id)
      const input = await buildInput(io, id, args, options)
      errorContext.idempotencyKey = options.dryRun ? undefined : input.headers?.['Idempotency-Key']
      if (errorContext.idempotencyKey) process.once('SIGINT', interrupt)
      const handled = override.handle({ id, input, ...prepared })
      setExitCode(await handled.finally(() => process.off('SIGINT', interrupt)))
    })
  }
  const loginCommand = program
    .command('login')
    .summary('Sign in with a browser')
    .description(
      `Signs in at the identity provider of the ${api.person}s with a browser, on this or another device, and keeps the ` +
        'sign-in as a context. Later commands use it and refresh its token. Without --context, it renews the ' +
        'current one; with --issuer, or without a current one, the context is "default".',
    )
    .option(
      '--issuer <url>',
      `issuer of the ${api.person}s (${api.namesIssuer ? 'default: the service names it' : `${api.issuerSetting} of the service`})`,
    )
    .option('--client-id <id>', 'client of the identity provider (default: tiwala-cli)')
    .option('--scope <scope...>', 'scopes to ask for (default: all that the commands need)')
    .action(() => login(io, loginCommand.optsWithGlobals<LoginOptions>(), errorContext))
  /** Runs the command that the arguments name, and returns the exit code. `explain` adds a reason to an error. */
  const runCommand = async (argv: string[], explain?: (error: unknown, url?: string) => Promise<string>) => {
    try {
      await program.parseAsync(argv, { from: 'user' })
      return exitCode
    } catch (error) {
      const formatted = formatError(error, errorContext)
      const reason = await explain?.(error, errorContext.url)
      const advice = formatted.exitCode === EXIT_CODE.unavailable ? adviceOnKey(errorContext) : undefined
      if (formatted.text) printMessage(io, [formatted.text, reason, advice].filter(Boolean).join(' '))
      return formatted.exitCode
    }
  }
  return { program, prepare, setExitCode, runCommand }
}

const createCommand = ({ stdout, stderr }: Io, { description, version, footer }: Texts): Command =>
  new Command(api.program)
    .description(description)
    .version(version)
    .addOption(
      new Option('--output <format>', 'how the response is printed').choices(OUTPUTS).default('table'),
    )
    .addOption(new Option('--json', 'the same as --output json').implies({ output: 'json' }))
    .option('--url <url>', `address of the API (or ${api.envPrefix}URL)`)
    .option('--context <name>', `use this sign-in of "${api.program} login" (or TIWALA_CONTEXT)`)
    .option(
      '--token-file <path>',
      `file with the ${api.person}'s token; "-" for standard input (or ${api.envPrefix}TOKEN)`,
    )
    .option(
      '--token-command <command>',
      `command that prints the token; runs again when it has expired (or ${api.envPrefix}TOKEN_COMMAND)`,
    )
    .option('--no-pager', 'do not show long output with the pager of TIWALA_PAGER or PAGER')
    .addHelpText('after', footer)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(escapeLines(text)),
    })
    .showHelpAfterError('(Add --help to see the arguments and options of this command.)')
    .exitOverride()
