import { type OperatorOperations, routes, type Schemas } from '@tiwala/contract'
import { createSessionApi } from '@tiwala/ui/session-api'

export type OperatorId = keyof OperatorOperations
export type Session = Schemas['OperatorSession']

export const { api, readSession } = createSessionApi<OperatorOperations, 'readOwnSession'>(routes.operator, {
  path: '../operator/v1',
  read: 'readOwnSession',
})

/** From the document, by `vite.config.ts`. */
declare const SCOPES: Record<OperatorId, string[]>

/** Whether the session has the scopes of the operation. The service checks the same. */
export const mayCall = ({ scopes }: Session, id: OperatorId): boolean =>
  SCOPES[id].every((scope) => scopes.includes(scope))

/** Null: the service has no such thing. */
export async function unlessUnknown<Body>(response: Promise<{ body: Body }>): Promise<Body | null> {
  try {
    return (await response).body
  } catch (error) {
    if ((error as { code?: string }).code === 'not_found') return null
    throw error
  }
}
