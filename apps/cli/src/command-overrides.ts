import type { Command } from 'commander'
import { callOperation } from './call-operation.ts'
import type { CommandHandler } from './command-context.ts'
import { completeRestore } from './complete-restore.ts'
import type { OperatorId } from './document.ts'
import { importCitizens } from './import-citizens.ts'
import { rewrapKeys } from './rewrap-keys.ts'
import { verifyAudit } from './verify-audit.ts'

type CommandOverride = {
  /** Replaces the description in the document, which is written for programs. */
  description?: string
  /** Values for required options that the administrator leaves out. */
  defaults?: Record<string, unknown>
  addOptions?: (command: Command) => void
  handle: CommandHandler
}

/** Commands that send many requests for their operation. All other commands use `callOperation`. */
const OVERRIDES: Partial<Record<OperatorId, CommandOverride>> = {
  importCitizens: {
    description: `
      Writes many citizens from a file of any size (NDJSON: each line is one citizen as JSON). A line with
      an error is skipped and reported with its line number and the reason; the other lines are written.
      Written citizens stay, and you can import the same file again. If a uniqid occurs twice, the
      distance decides. Lines near each other: the second is rejected. More than 1,000 lines apart: it
      replaces the first. Needs citizens:write.`,
    handle: importCitizens,
  },
  rewrapKeys: {
    description: `
      Moves all citizens to the current keys, one batch after another. Afterwards you can remove the old
      keys from the key ring. The service stays available. Needs keys:write.`,
    defaults: { limit: 500 },
    handle: rewrapKeys,
  },
  completeRestore: {
    description: `
      Reports that a backup was restored. QR values, exchange codes and access tokens from before are then
      invalid. With --replay, the command first verifies an export of the audit that is newer than the backup,
      and applies again what must not come undone: revoked and replaced secrets, suspended partners, withdrawn
      consents, erased citizens, frozen and blocked preferences. It reports each, and can be repeated. Run it
      before you let callers in. Needs restore:write; with --replay also audit:read, partners:write,
      credentials:write and citizens:erase.`,
    addOptions: (command) =>
      void command
        .option('--replay <path>', 'file from "tiwala audit export", made after the backup')
        .option(
          '--kept <path>',
          'with --replay: verify that the export has every checkpoint of this log of the service, ' +
            'written before the restore',
        ),
    handle: completeRestore,
  },
  verifyAudit: {
    description: `
      Verifies the whole audit. If an entry was edited, deleted, added, reordered or swapped, the command
      names the first fault and ends with exit code 4. By default, the service verifies its own audit. With
      --independent, this command verifies the signatures, the chain and every event itself, and trusts only
      the public keys of the service. Needs audit:read.`,
    addOptions: (command) =>
      void command
        .option('--independent', 'verify here, with the data that the service returns')
        .option(
          '--export <path>',
          'verify here, without the service, the file from "tiwala audit export"; "-" for standard input',
        )
        .option(
          '--keys <path>',
          'verify here with your copy of the public keys, as "tiwala audit keys --json" wrote it',
        )
        .option(
          '--kept <path>',
          'verify here that your copy of the checkpoints is still part of the audit: ' +
            'a checkpoint ("tiwala audit checkpoint --json") or a log of the service',
        ),
    handle: verifyAudit,
  },
}

export const overrideOf = (id: OperatorId): CommandOverride => OVERRIDES[id] ?? { handle: callOperation }
