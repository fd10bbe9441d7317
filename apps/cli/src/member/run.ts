// The program of a partner's people, over the workbench document. `packages/client` bundles it as `npx @tiwala/client`.
import type { Options } from '../command-context.ts'
import { findContext, removeContext } from '../contexts.ts'
import { API_VERSION, DEFAULT_URL } from '../document.ts'
import type { Io } from '../io.ts'
import { createProgram } from '../program.ts'
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
  const { program, runCommand } = createProgram(io, {
    description: 'Shows a partner its requests, events, secrets and people, from a terminal.',
    version: `workbench API ${API_VERSION}`,
    footer: HELP_FOOTER,
  })
  program.option('--partner <code>', 'your partner, if you are a member of several (or TIWALA_PARTNER)')
  const logout = program
    .command('logout')
    .summary('Sign out')
    .description('Removes the sign-in with its tokens from this machine.')
    .action(() => {
      const name = findContext(io, logout.optsWithGlobals<Options>().context)?.name
      if (name === undefined) throw new UsageError('You are not signed in.')
      return removeContext(io, name)
    })
  return runCommand(argv)
}
