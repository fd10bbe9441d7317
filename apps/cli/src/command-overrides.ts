import type { Command } from 'commander'
import { callOperation } from './call-operation.ts'
import type { CommandHandler } from './command-context.ts'
import type { OperatorId } from './document.ts'
import { importCitizens } from './import-citizens.ts'
import { rewrapKeys } from './rewrap-keys.ts'
import { verifyAudit } from './verify-audit.ts'

type CommandOverride = {
  /** Instead of the document's, which speaks to programs. */
  description?: string
  /** What a required option is where it is not given. */
  defaults?: Record<string, unknown>
  addOptions?: (command: Command) => void
  handle: CommandHandler
}

/** Operations that are called many times for one command. */
const OVERRIDES: Partial<Record<OperatorId, CommandOverride>> = {
  importCitizens: {
    description: `Writes many citizens from a file of any size, a citizen as JSON on each line (NDJSON). A line that is wrong is left out and told by its number and
reason; the others are written. What was written stays; the same file can be sent again. A uniqid that stands twice is refused the second time where the lines
are near each other, and replaces the first where they are more than a thousand lines apart. Needs citizens:write.`,
    handle: importCitizens,
  },
  rewrapKeys: {
    description: `Moves all citizens to the current keys, so many at a time; then the old keys can be taken out of the ring. The service answers as usual meanwhile.
Needs keys:write.`,
    defaults: { limit: 500 },
    handle: rewrapKeys,
  },
  verifyAudit: {
    description: `Checks the whole audit, and names the first place at which something was edited, deleted, added, reordered or swapped: exit code 4. By itself, the
service is asked. With --independent nothing of it is trusted but the public keys: signatures, chain and every event are checked here. Needs audit:read.`,
    addOptions: (command) =>
      void command
        .option('--independent', 'check here, with what the service gives')
        .option('--export <path>', 'check here what "tiwala audit export" wrote, with no service at hand; "-" for standard input')
        .option('--keys <path>', 'check here by these public keys, as "tiwala audit keys --json" wrote them')
        .option(
          '--kept <path>',
          'check here that what you kept elsewhere is still there: a checkpoint ("tiwala audit checkpoint --json") or a log of the service',
        ),
    handle: verifyAudit,
  },
}

export const overrideOf = (id: OperatorId): CommandOverride => OVERRIDES[id] ?? { handle: callOperation }
