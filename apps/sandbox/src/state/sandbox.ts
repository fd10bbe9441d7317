// The visitor's private sandbox. It is kept in localStorage, so that it survives a reload and is the same in
// every tab. Its secrets are those of synthetic people, and end after a day.
import type { PrivateBootstrap, BootstrapCitizen } from '@tiwala/server/sandbox-bootstrap'
import { createStore } from './store.ts'

/** `citizen`: the `uniqid` of the one whose phone is shown. `records`: the tracking numbers of the desk. */
export type Saved = { sandbox: PrivateBootstrap; citizen: string; records: string[]; isChanged: boolean }

const KEY = 'tiwala-sandbox'

export const saved = createStore<Saved | undefined>(read())

function read(): Saved | undefined {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? 'null') as Saved | null) ?? undefined
  } catch {
    return undefined
  }
}

export function save(change: Partial<Saved>): void {
  const value = { ...saved.get()!, ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(value))
  } catch {
    // The browser stores nothing: the sandbox then ends with a reload.
  }
  saved.set(value)
}

export function saveNew(sandbox: PrivateBootstrap): void {
  const citizen = sandbox.citizens.find(({ behaviour }) => behaviour === 'manual') ?? sandbox.citizens[0]!
  save({ sandbox, citizen: citizen.uniqid, records: [], isChanged: false })
}

/** Another tab has changed it. */
addEventListener('storage', ({ key }) => {
  if (key === KEY) saved.set(read())
})

export const citizenOf = ({ sandbox, citizen }: Saved): BootstrapCitizen =>
  sandbox.citizens.find(({ uniqid }) => uniqid === citizen) ?? sandbox.citizens[0]!
