import type { AuthorizationAnswer } from '@tiwala/client'
import { createStore } from '../state/create-store.ts'
import { onOtherSandbox } from '../state/sandbox.ts'

type State = AuthorizationAnswer['state']

/** The state in which the desk has read each record last, by tracking number. */
export const recordStates = createStore<Record<string, State>>({})
onOtherSandbox(() => recordStates.set({}))

export const noteState = (trackingNo: string, state: State): void =>
  recordStates.update((states) => ({ ...states, [trackingNo]: state }))
