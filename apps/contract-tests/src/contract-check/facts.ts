// What the documents promise and what traffic shows, in the same words, so that the two can be compared.
import type { OperationId } from '@tiwala/contract'

export const fact = {
  status: (id: OperationId, status: number) => `${id} ${status}`,
  code: (id: OperationId, status: number, code: string) => `${id} ${status} error ${code}`,
  mediaType: (id: OperationId, status: number, type: string) => `${id} ${status} type ${type}`,
  header: (id: OperationId, status: number, name: string) => `${id} ${status} header ${name}`,
  webhook: (type: string) => `webhook ${type}`,
  streamEvent: (type: string) => `event ${type}`,
}

/** The result of a check: how the traffic breaks the documents, and which promises of theirs it shows. */
export type Findings = { violations: string[]; facts: string[] }
