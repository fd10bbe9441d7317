// What a schema cannot say about the data of a citizen. Partners compute with the dates, and fetch and show the
// photo.
import type { Schemas } from '@tiwala/contract'
import type { Config } from '../config.ts'
import { problemOfUrl } from '../network/safe-url.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 366 * DAY_MS
const FIRST_BIRTH = Date.UTC(1850, 0, 1)
const FIRST_EXPIRY = Date.UTC(1950, 0, 1)
const MAX_VALID_YEARS = 50
/** As long as the body of `upsertCitizen`, so that every imported citizen can be changed. */
const MAX_JSON_BYTES = 16 * 1024

/** The errors of each wrong field; `undefined`: none is wrong. */
export function findRegistrationFaults(
  registration: Schemas['CitizenRegistration'],
  environment: Config['environment'],
): Record<string, string[]> | undefined {
  const { profile, passport } = registration
  // Where a day begins first, it is tomorrow already.
  const latestBirth = Date.now() + DAY_MS
  const isBirth = (timeMs: number) => timeMs >= FIRST_BIRTH && timeMs <= latestBirth
  const isExpiry = (timeMs: number) =>
    timeMs >= FIRST_EXPIRY && timeMs <= Date.now() + MAX_VALID_YEARS * YEAR_MS
  const errors: Record<string, string[]> = {}
  if (Buffer.byteLength(JSON.stringify(registration)) > MAX_JSON_BYTES)
    errors['body'] = ['must be at most 16 KiB of JSON']
  // The path of another operation.
  if (profile.uniqid === 'import') errors['profile.uniqid'] = ['must not be "import"']
  if (!isBirth(timeOf(profile.birth_date)))
    errors['profile.birth_date'] = ['must be a date that exists, from 1850 to today']
  const problemOfPhoto = profile.photo && problemOfUrl(profile.photo, environment)
  if (problemOfPhoto) errors['profile.photo'] = [problemOfPhoto]
  if (passport?.birth_date && !isBirth(timeOf(toIso(passport.birth_date))))
    errors['passport.birth_date'] = ['must be a date that exists, from 1850 to today, as MM/DD/YYYY']
  if (passport?.expiry_date && !isExpiry(timeOf(toIso(passport.expiry_date))))
    errors['passport.expiry_date'] = [
      `must be a date that exists, from 1950 to ${MAX_VALID_YEARS} years ahead, as MM/DD/YYYY`,
    ]
  return Object.keys(errors).length ? errors : undefined
}

/** The start of `YYYY-MM-DD` in milliseconds. NaN if it does not exist, such as 2023-02-29. */
function timeOf(date: string): number {
  const timeMs = Date.parse(date)
  return Number.isNaN(timeMs) || new Date(timeMs).toISOString().slice(0, 10) !== date ? Number.NaN : timeMs
}

/** `MM/DD/YYYY` to `YYYY-MM-DD`. */
const toIso = (date: string): string => date.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2')
