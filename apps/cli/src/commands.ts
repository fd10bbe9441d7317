import { routes } from '@tiwala/contract'
import type { OperatorId } from './document.ts'

/** The commands whose names do not follow from the operation. */
const OTHER_NAMES: Partial<Record<OperatorId, string>> = {
  setCallback: 'partner set-callback',
  testCallback: 'partner test-callback',
  listAuditEvents: 'audit events',
  listCheckpoints: 'audit checkpoints',
  readCheckpoint: 'audit checkpoint',
  listAuditKeys: 'audit keys',
  replayChange: 'restore-replay',
  completeRestore: 'restore-complete',
}

/** `rotateWebhookSecret` becomes `webhook-secret rotate`, `listDeliveries` becomes `delivery list`. */
function nameOf(id: string): string {
  const [verb, ...noun] = id.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
  const singular = noun.join('-').replace(/ies$/, 'y').replace(/s$/, '')
  return `${singular} ${verb === 'read' ? 'show' : verb}`
}

/** The command of each operation, in the order of the document. */
export const commands = Object.fromEntries(
  (Object.keys(routes.operator) as OperatorId[]).map((id) => [id, OTHER_NAMES[id] ?? nameOf(id)]),
) as Readonly<Record<OperatorId, string>>
