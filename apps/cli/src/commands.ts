import { api } from '#api'
import { nameOf } from './command-name.ts'
import type { OperationId } from './document.ts'

/** The command of each operation, in the order of the document. */
export const commands = Object.fromEntries(
  (Object.keys(api.routes) as OperationId[]).map((id) => [id, api.otherNames[id] ?? nameOf(id)]),
) as Readonly<Record<OperationId, string>>
