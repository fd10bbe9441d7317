import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { buildInput } from './build-input.ts'
import type { Options } from './command-context.ts'
import { overrideOf } from './command-overrides.ts'
import { commands } from './commands.ts'
import { connect, operatorUrlOf } from './connect.ts'
import { declareCommand, groupOf } from './declare-command.ts'
import { API_VERSION, DEFAULT_URL, type OperatorId } from './document.ts'
import { escapeLines } from './escape-text.ts'
import { exportAudit } from './export-audit.ts'
import { type ErrorContext, EXIT_CODE, formatError } from './format-error.ts'
import { type Io, printMessage } from './io.ts'
import { UsageError } from './usage-error.ts'

const HELP_FOOTER = `
Results go to standard output, everything else to standard error.

Environment:
  TIWALA_OPERATOR_URL    where the operator API is; ${DEFAULT_URL} by itself
  TIWALA_OPERATOR_TOKEN  the administrators' identity provider's token. Without one, a sandbox on this machine lends its own
  TIWALA_PUBLIC_URL      where partners reach the service, for the block that they paste; the operator API's own address by itself
  NO_COLOR               no bold and dim text

Exit codes:
  0  done
  1  the service refused, or refused some of the lines
  2  wrong usage; nothing was done
  3  the service cannot be reached, or failed
  4  the audit is not intact
`

/** The whole program: does what the arguments say, and gives the exit code. */
export async function run(argv: string[], io: Io): Promise<number> {
  const errorContext: ErrorContext = {}
  let exitCode: number = EXIT_CODE.done
  /** What every command has, once it is known what is to be done. */
  const prepare = (options: Options, id?: OperatorId) => {
    if (options.tokenFile === '-' && [options.file, options.export, options.keys, options.kept].includes('-'))
      throw new UsageError('Standard input can be read once: give the token or the file by its path.')
    const operatorUrl = operatorUrlOf(io, options)
    Object.assign(errorContext, { id, url: operatorUrl })
    return { io, options, operatorUrl, connect: () => connect(io, operatorUrl, options) }
  }
  const program = createProgram(io)
  for (const id of Object.keys(commands) as OperatorId[])
    declareCommand(program, id, async (_, args, options) => {
      const prepared = prepare(options, id)
      const context = { id, input: await buildInput(io, id, args, options), ...prepared }
      exitCode = (await overrideOf(id).handle(context)) ?? EXIT_CODE.done
    })
  const audit = groupOf(program, 'audit', 'listAuditEvents').command('export')
  audit
    .summary('Export the audit')
    .description(
      'Writes the keys, all checkpoints and all events, a JSON object on each line: "tiwala audit verify --export" checks it anywhere. Needs audit:read.',
    )
    .requiredOption('--file <path>', 'where to; "-" for standard output')
    .action(() => exportAudit(prepare(audit.optsWithGlobals(), 'listAuditEvents')))
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    const explained = formatError(error, errorContext)
    if (explained.text) printMessage(io, explained.text)
    return explained.exitCode
  }
}

function createProgram({ stdout, stderr }: Io): Command {
  return new Command('tiwala')
    .description("The administrator's side of Tiwala, from a terminal.")
    .version(`${manifest.version} (operator API ${API_VERSION})`)
    .option('--json', 'print the answer itself, as JSON')
    .option('--url <url>', `where the operator API is (or TIWALA_OPERATOR_URL)`)
    .option('--token-file <path>', 'a file that holds the administrator\'s token, "-" for standard input (or TIWALA_OPERATOR_TOKEN)')
    .addHelpText('after', HELP_FOOTER)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => void stdout.write(text), writeErr: (text) => void stderr.write(escapeLines(text)) })
    .showHelpAfterError('(--help tells what this command takes)')
    .exitOverride()
}
