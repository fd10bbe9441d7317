import { VERSION } from '@tiwala/server/program'
import { Argument } from 'commander'
import { archiveAudit, type ArchiveOptions } from './archive-audit.ts'
import type { Options } from './command-context.ts'
import { overrideOf } from './command-overrides.ts'
import { completionScript, type Shell, SHELLS } from './completion.ts'
import { apiUrlOf, openConnection } from './connect.ts'
import { listContexts, removeContext, useContext } from './contexts.ts'
import { groupOf } from './declare-command.ts'
import { diagnose, isRequestId } from './diagnose.ts'
import { doctor, type DoctorOptions } from './doctor.ts'
import { API_VERSION, DEFAULT_URL } from './document.ts'
import { explainUnavailable } from './explain-unavailable.ts'
import { exportAudit } from './export-audit.ts'
import { type Io, print } from './io.ts'
import { withPager } from './pager.ts'
import { createProgram } from './program.ts'
import { rebind, type RebindOptions } from './rebind.ts'
import { supportBundle, type SupportBundleOptions } from './support-bundle.ts'
import { UsageError } from './usage-error.ts'
import { verifyReceipt } from './verify-receipt.ts'
import { version, type VersionOptions } from './version.ts'
import { whoami } from './whoami.ts'

const HELP_FOOTER = `
Results go to standard output, all other text goes to standard error.

Environment:
  TIWALA_OPERATOR_URL    address of the operator API (default: ${DEFAULT_URL})
  TIWALA_OPERATOR_TOKEN  token from the administrators' identity provider
                         (default: the token of a sandbox on this machine)
  TIWALA_OPERATOR_TOKEN_COMMAND  command that prints a token; runs again when the token has expired
  TIWALA_CONTEXT         sign-in of "tiwala login" to use (default: the current one)
  TIWALA_PAGER, PAGER    program that shows long output on a terminal; empty: none
  NO_COLOR               turns off bold and dim text

Exit codes:
  0  done
  1  the service refused the request, or refused some of the lines; or the doctor found a problem
  2  wrong usage; nothing was done
  3  the service cannot be reached, or failed
  4  the audit is not intact
`

const SETTINGS = 'file with the settings, as "node --env-file" reads it (default: the environment)'

/** Runs the command that the arguments name, and returns the exit code. */
export async function run(argv: string[], io: Io): Promise<number> {
  const texts = {
    description: 'Administers a Tiwala service from a terminal.',
    version: `${VERSION} (operator API ${API_VERSION})`,
    footer: HELP_FOOTER,
  }
  const { program, prepare, setExitCode, runCommand } = createProgram(io, texts, overrideOf)
  const audit = groupOf(program, 'audit', 'listAuditEvents').command('export')
  audit
    .summary('Export the audit')
    .description(
      'Writes the keys, all checkpoints and all events, one JSON object per line. ' +
        '"tiwala audit verify --export" verifies the file anywhere. With --from or --to, it writes the checkpoints ' +
        'that were sealed in this range, with all their events. Needs audit:read.',
    )
    .requiredOption('--file <path>', 'output file; "-" for standard output')
    .option('--append', 'add only what is newer than the file, if it exists')
    .option('--from <time>', 'only what was sealed at or after this time, such as 2026-01-01T00:00:00Z')
    .option('--to <time>', 'only what was sealed before this time')
    .action(() => exportAudit(prepare(audit.optsWithGlobals(), 'listAuditEvents')))
  const archive = groupOf(program, 'audit', 'listAuditEvents').command('archive')
  archive
    .summary('Archive closed months of the audit')
    .description(
      'Writes each closed month into compressed files in TIWALA_AUDIT_ARCHIVE_DIR, reads them back and verifies ' +
        'them, and only then drops the month from the database. The service goes on, and answers from the ' +
        'files. If the command is killed, run it again: it continues. Run it as the user of the service. Needs no token.',
    )
    .requiredOption('--until <month>', 'the last month to archive, such as 2026-01')
    .option('--settings <path>', SETTINGS)
    .action(() => archiveAudit(io, archive.optsWithGlobals<ArchiveOptions>()))
  const diagnoseCommand = program
    .command('diagnose')
    .summary('Say why requests were refused')
    .description(
      'Says in words why a request of a partner was refused: its checks, the one that failed, and the page of the error. ' +
        'Of a partner, it counts the newest refusals by code. Needs partners:read.',
    )
    .argument('<subject>', 'id of a request ("X-Request-Id" of its response), or code of a partner')
    .action(async (subject: string) => {
      const options = diagnoseCommand.optsWithGlobals<Options>()
      const id = isRequestId(subject) ? 'readPartnerRequest' : 'listPartnerRequests'
      const call = await prepare(options, id).connect()
      await withPager(io, options.pager, (paged) => diagnose(paged, call, subject, options.output))
    })
  const collect = (url: string, before: string[] = []) => [...before, httpUrl('--callback', url)]
  const doctorCommand = program
    .command('doctor')
    .summary('Check a configuration')
    .description(
      'Checks the configuration of the service on this machine, before or after its start: settings, key ' +
        'ring, PostgreSQL, identity providers, proxies, callbacks, disks and addresses. It changes ' +
        'nothing. For each fault it says what to do. Run it as the user of the service. Needs no token.',
    )
    .option('--settings <path>', SETTINGS)
    .option('--callback <url>', 'also connect to this URL, as a delivery would; repeatable', collect)
    .option(
      '--token <path>',
      "check only this token of an administrator, a citizen or a partner's person, and say why it is refused; " +
        'a file, or "-" for standard input',
    )
    .action(async () => {
      setExitCode(await doctor(io, doctorCommand.optsWithGlobals<DoctorOptions>()))
    })
  const bundleCommand = program
    .command('support-bundle')
    .summary('Collect what a supporter needs')
    .description(
      'Writes one JSON file with the versions, the findings of the doctor, which settings are set, the metrics, facts of ' +
        'the database and, with --log, lines of the log. It has no secret and no data of a person: of a setting it ' +
        'has the value only if that is a number or a choice. Run it as the user of the service. Needs no token.',
    )
    .option('--settings <path>', SETTINGS)
    .option('--log <path>', 'the log of the service; "-" for standard input')
    .requiredOption('--file <path>', 'output file; "-" for standard output')
    .action(() => {
      const options = bundleCommand.optsWithGlobals<SupportBundleOptions>()
      return supportBundle(io, apiUrlOf(io, options), options)
    })
  const rebindCommand = program
    .command('rebind')
    .summary('Bind the database to changed settings')
    .description(
      'Each start compares the settings that the data depends on with those of the database: the time zone, ' +
        'the public URL and the issuers. This command changes them in the database. Stop every process of the ' +
        'service first. Run it as the user of the service. Needs no token.',
    )
    .option('--settings <path>', SETTINGS)
    .option('--yes', 'do not ask for confirmation')
    .action(() => rebind(io, rebindCommand.optsWithGlobals<RebindOptions>()))
  const versionCommand = program
    .command('version')
    .summary('Show the versions')
    .description(
      'Shows the versions of this program, of the service that runs, and of the database in the settings. ' +
        'Needs no token.',
    )
    .option('--settings <path>', SETTINGS)
    .action(() => {
      const options = versionCommand.optsWithGlobals<VersionOptions>()
      return version(io, apiUrlOf(io, options), options)
    })
  const contexts = program
    .command('context')
    .description('The services that you have signed in to.')
    .helpCommand(false)
  const contextList = contexts
    .command('list')
    .summary('List the contexts')
    .description('Lists the contexts of this user, without tokens.')
    .action(() => listContexts(io, contextList.optsWithGlobals<Options>().output))
  contexts
    .command('use')
    .summary('Use another context')
    .description(
      'Makes a context the current one. --context and TIWALA_CONTEXT choose one for a single command.',
    )
    .argument('<name>')
    .action((name: string) => useContext(io, name))
  contexts
    .command('remove')
    .summary('Sign out')
    .description('Removes a context with its tokens from this machine.')
    .argument('<name>')
    .action((name: string) => removeContext(io, name))
  const receipt = program
    .command('receipt')
    .description('What the service signs: the receipt of an erasure, the report of a partner for going live.')
    .helpCommand(false)
    .command('verify')
  receipt
    .summary('Verify a receipt')
    .description(
      'Verifies the signature of a receipt with the public keys of the audit, and shows what it says. With --keys, it needs ' +
        'neither the service nor a token. If it is not genuine, the exit code is 4.',
    )
    .argument(
      '<path>',
      'file with the receipt, the output of "tiwala erasure show --json", or a report; "-" for standard input',
    )
    .option('--keys <path>', 'your copy of the public keys, as "tiwala audit keys --json" wrote it')
    .action(async (path: string) => {
      setExitCode(await verifyReceipt(prepare(receipt.optsWithGlobals<Options>()), path))
    })
  const whoamiCommand = program
    .command('whoami')
    .summary('Show whose token is used')
    .description('Shows the administrator of the token, its scopes and its end, if the service accepts it.')
    .action(async () => {
      const { options } = prepare(whoamiCommand.optsWithGlobals<Options>())
      const url = apiUrlOf(io, options)
      await whoami(io, url, options, await openConnection(io, url, options))
    })
  program
    .command('completion')
    .summary('Print a script for the completion in a shell')
    .description(
      'Prints a script that completes commands and options. ' +
        'bash, zsh: source <(tiwala completion bash). fish: tiwala completion fish | source. Needs no token.',
    )
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => print(io.stdout, completionScript(program, shell)))
  return runCommand(argv, explainUnavailable)
}

function httpUrl(option: string, url: string): string {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(
      `${option}: "${url}" is not an HTTP URL. Give one like https://partner.example/callback.`,
    )
  return url
}
