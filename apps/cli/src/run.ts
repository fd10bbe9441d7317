import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { commands } from './commands.ts'
import { connect, locateService } from './connect.ts'
import { declareCommand, groupOf } from './declare-command.ts'
import { API_VERSION, DEFAULT_URL, type OperatorId } from './document.ts'
import { type Doing, EXIT, explain } from './explain.ts'
import { exportAudit } from './export-audit.ts'
import { type Io, tell } from './io.ts'
import { toPlainLines } from './plain.ts'
import { toInput } from './to-input.ts'
import { UsageError } from './usage-error.ts'
import { wayOf } from './ways.ts'
import type { Options } from './work.ts'

const MANNERS = `
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
  const doing: Doing = {}
  let exitCode: number = EXIT.done
  /** What every command has, once it is known what is to be done. */
  const prepare = (options: Options, id?: OperatorId) => {
    if (options.tokenFile === '-' && [options.file, options.export, options.keys, options.kept].includes('-'))
      throw new UsageError('Standard input can be read once: give the token or the file by its path.')
    const operatorUrl = locateService(io, options)
    Object.assign(doing, { id, url: operatorUrl })
    return { io, options, operatorUrl, connect: () => connect(io, operatorUrl, options) }
  }
  const program = createProgram(io)
  for (const id of Object.keys(commands) as OperatorId[])
    declareCommand(program, id, async (_, args, options) => {
      const prepared = prepare(options, id)
      const work = { id, input: await toInput(io, id, args, options), ...prepared }
      exitCode = (await wayOf(id).act(work)) ?? EXIT.done
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
    const explained = explain(error, doing)
    if (explained.text) tell(io, explained.text)
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
    .addHelpText('after', MANNERS)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => void stdout.write(text), writeErr: (text) => void stderr.write(toPlainLines(text)) })
    .showHelpAfterError('(--help tells what this command takes)')
    .exitOverride()
}
