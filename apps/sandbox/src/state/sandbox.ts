// The visitor's sandbox. It is kept in localStorage, so that it survives a reload and is the same in
// every tab. Its secrets are those of synthetic people, and end after a day.
import { type CreatedSandbox, type BootstrapCitizen, MAX_RECORDS } from '@tiwala/server/sandbox-bootstrap'
import { createStore } from './create-store.ts'
import { sharedStorage } from './storage.ts'

/** Of the format below. A value of another version is ignored: a new sandbox is made. */
const VERSION = 2
/**
 * `citizen`: the `uniqid` of the one whose phone is shown. `records`: the tracking numbers of the desk.
 * `asked`: the citizen whose code gave the newest record, if the page knows. `isAsking`: the desk waits for a
 * response, which a reload would lose.
 */
export type Saved = {
  version: typeof VERSION
  sandbox: CreatedSandbox
  citizen: string
  records: string[]
  asked?: string | undefined
  isChanged: boolean
  isAsking?: boolean
}

const KEY = 'tiwala-sandbox'

export const saved = createStore<Saved | undefined>(read())
/** The sandbox of this browser no longer exists. */
export const isEnded = createStore(false)

function read(): Saved | undefined {
  try {
    const value: unknown = JSON.parse(sharedStorage.get(KEY) ?? 'null')
    return isSaved(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isSaved(value: unknown): value is Saved {
  const { version, sandbox, citizen, records } = (value ?? {}) as Partial<Saved>
  const { sandbox_id, expires_at, citizen_url, partner, citizens } =
    sandbox ?? ({} as Partial<CreatedSandbox>)
  return (
    version === VERSION &&
    [sandbox_id, citizen, partner?.name, partner?.partner_code].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(expires_at!)) &&
    URL.canParse(citizen_url!) &&
    Array.isArray(citizens) &&
    citizens.length > 0 &&
    citizens.every((each) => typeof each?.uniqid === 'string' && typeof each.token === 'string') &&
    Array.isArray(records) &&
    records.every((trackingNo) => typeof trackingNo === 'string')
  )
}

function write(value: Saved): void {
  sharedStorage.set(KEY, JSON.stringify(value))
  saved.set(value)
}

/**
 * Changes what is stored now for this sandbox, by this tab or another one. Does nothing if the visitor has
 * another sandbox by now: the act was for the old one.
 */
export function save(sandbox: CreatedSandbox, change: (now: Saved) => Partial<Saved>): void {
  const now = read() ?? saved.get()
  if (now?.sandbox.sandbox_id === sandbox.sandbox_id) write({ ...now, ...change(now) })
}

/** False: the browser stores nothing for this page, so a reload loses the sandbox. */
export const isKept = () => sharedStorage.isKept(KEY)

/** Shows a record at the desk, before the others. */
export const addRecord = (sandbox: CreatedSandbox, trackingNo: string, asked?: string): void =>
  save(sandbox, ({ records }) => ({
    asked,
    records: [trackingNo, ...records.filter((other) => other !== trackingNo)].slice(0, MAX_RECORDS),
  }))

export function saveNew(sandbox: CreatedSandbox): void {
  const citizen = sandbox.citizens.find(({ behavior }) => behavior === 'manual') ?? sandbox.citizens[0]!
  write({ version: VERSION, sandbox, citizen: citizen.uniqid, records: [], isChanged: false })
}

/** Shows what another tab has stored. False: there is no sandbox. */
export function takeStored(): boolean {
  const value = read()
  if (value) saved.set(value)
  return !!value
}

addEventListener('storage', ({ key }) => {
  if (key === KEY) takeStored()
})

/** Runs `listener` when the visitor has another sandbox, made in this tab or in another one. */
export function onOtherSandbox(listener: () => void): void {
  let shownId = saved.get()?.sandbox.sandbox_id
  saved.follow(() => {
    const id = saved.get()?.sandbox.sandbox_id
    if (id === shownId) return
    shownId = id
    listener()
  })
}

onOtherSandbox(() => isEnded.set(false))

export const citizenOf = ({ sandbox, citizen }: Saved): BootstrapCitizen =>
  sandbox.citizens.find(({ uniqid }) => uniqid === citizen) ?? sandbox.citizens[0]!

/** The citizen of the newest record: another phone may be shown by now. */
export const askedCitizenOf = (own: Saved): BootstrapCitizen =>
  citizenOf({ ...own, citizen: own.asked ?? own.citizen })
