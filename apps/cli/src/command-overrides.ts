import { callOperation } from './call-operation.ts'
import type { CommandOverride } from './command-context.ts'
import { completeRestoreCommand } from './complete-restore.ts'
import type { OperationId } from './document.ts'
import { importCitizensCommand } from './import-citizens.ts'
import { replayDeadLettersCommand } from './replay-dead-letters.ts'
import { rewrapKeysCommand } from './rewrap-keys.ts'
import { verifyAuditCommand } from './verify-audit.ts'

/** Commands that send many requests for their operation. All other commands use `callOperation`. */
const OVERRIDES: Partial<Record<OperationId, CommandOverride>> = {
  importCitizens: importCitizensCommand,
  replayDeadLetters: replayDeadLettersCommand,
  rewrapKeys: rewrapKeysCommand,
  completeRestore: completeRestoreCommand,
  verifyAudit: verifyAuditCommand,
}

export const overrideOf = (id: OperationId): CommandOverride => OVERRIDES[id] ?? { handle: callOperation }
