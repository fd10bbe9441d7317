import { routes, type Schemas, type WorkbenchOperations } from '@tiwala/contract'
import { createSessionApi } from '@tiwala/ui/session-api'

export type Session = Schemas['MemberSession']
/** The API is beside the page. */
export const { api, readSession } = createSessionApi<WorkbenchOperations, 'readSession'>(routes.workbench, {
  path: 'v1',
  read: 'readSession',
})
