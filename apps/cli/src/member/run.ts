// The program of a partner's people, over the workbench document. `packages/client` bundles it as `npx @tiwala/client`.
import { Command, Option } from 'commander'
import { api } from '#api'
import { buildInput } from '../build-input.ts'
import { callOperation } from '../call-operation.ts'
import type { Options } from '../command-context.ts'
import { commands } from '../commands.ts'
import { connect, apiUrlOf } from '../connect.ts'
import { findContext, removeContext } from '../contexts.ts'
import { declareCommand } from '../declare-command.ts'
import { API_VERSION, DEFAULT_URL, type OperationId } from '../document.ts'
import { escapeLines } from '../escape-text.ts'
import { adviceOnKey, type ErrorContext, EXIT_CODE, formatError } from '../format-error.ts'
import { type Io, printMessage } from '../io.ts'
import { login, type LoginOptions } from '../login.ts'
import { OUTPUTS } from '../print-value.ts'
import { UsageError } from '../usage-error.ts'

const HELP_FOOTER = `
Results go to standard output, all other text goes to standard error.

Environment:
  TIWALA_MEMBER_URL            address of the service (default: ${new URL(DEFAULT_URL).origin})
  TIWALA_MEMBER_TOKEN          token from your identity provider (default: your sign-in, or the sandbox's own token)
  TIWALA_MEMBER_TOKEN_COMMAND  command that prints a token; runs again when the token has expired
  TIWALA_CONTEXT               sign-in of "login" to use (default: the current one)
  TIWALA_PARTNER               your partner, if you are a member of several
  TIWALA_PAGER, PAGER          program that shows long output on a terminal; empty: none
  NO_COLOR                     turns off bold and dim text

Exit codes: 0 done, 1 refused by the service, 2 wrong usage, 3 service not reachable.
`

/** Runs the command that the arguments name, and returns the exit code. */
export async function run(argv: string[], io: Io): Promise<number> {
  const errorContext: ErrorContext = {}
  const program = createProgram(io)
  for (const id of Object.keys(commands) as OperationId[])
    declareCommand(program, id, { handle: callOperation }, async (_, args, options: Options) => {
      const url = apiUrlOf(io, options)
      Object.assign(errorContext, { id, url })
      const input = await buildInput(io, id, args, options)
      errorContext.idempotencyKey = input.headers?.['Idempotency-Key']
      await callOperation({ id, io, input, options, connect: () => connect(io, url, options) })
    })
  const loginCommand = program
    .command('login')
    .summary('Sign in with a browser')
    .description(
      'Signs in at the identity provider of your organization with a browser, on this or another device. Later commands ' +
        'use the sign-in and refresh its token. A sandbox on this machine needs none.',
    )
    .option('--issuer <url>', 'issuer of the identity provider (default: the service names it)')
    .option('--client-id <id>', 'client of the identity provider (default: tiwala-cli)')
    .option('--scope <scope...>', `scopes to ask for (default: ${api.scopes.join(' ')})`)
    .action(() => login(io, loginCommand.optsWithGlobals<LoginOptions>(), errorContext))
  const logout = program
    .command('logout')
    .summary('Sign out')
    .description('Removes the sign-in with its tokens from this machine.')
    .action(() => {
      const name = findContext(io, logout.optsWithGlobals<Options>().context)?.name
      if (name === undefined) throw new UsageError('You are not signed in.')
      removeContext(io, name)
    })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return EXIT_CODE.done
  } catch (error) {
    const { exitCode, text } = formatError(error, errorContext)
    const advice = exitCode === EXIT_CODE.unavailable ? adviceOnKey(errorContext) : undefined
    if (text) printMessage(io, [text, advice].filter(Boolean).join(' '))
    return exitCode
  }
}

const createProgram = ({ stdout, stderr }: Io): Command =>
  new Command(api.program)
    .description('Shows a partner its requests, events, secrets and people, from a terminal.')
    .version(`workbench API ${API_VERSION}`)
    .addOption(
      new Option('--output <format>', 'how the response is printed').choices(OUTPUTS).default('table'),
    )
    .addOption(new Option('--json', 'the same as --output json').implies({ output: 'json' }))
    .option('--url <url>', 'address of the service (or TIWALA_MEMBER_URL)')
    .option('--context <name>', 'use this sign-in (or TIWALA_CONTEXT)')
    .option('--partner <code>', 'your partner, if you are a member of several (or TIWALA_PARTNER)')
    .option('--token-file <path>', 'file with a token; "-" for standard input (or TIWALA_MEMBER_TOKEN)')
    .option('--token-command <command>', 'command that prints a token (or TIWALA_MEMBER_TOKEN_COMMAND)')
    .option('--no-pager', 'do not show long output with the pager of TIWALA_PAGER or PAGER')
    .addHelpText('after', HELP_FOOTER)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(escapeLines(text)),
    })
    .showHelpAfterError('(Add --help to see the arguments and options of this command.)')
    .exitOverride()
