import { randomInt } from 'node:crypto'
import { Failure } from '../../failure.ts'
import { MAKATI } from '../addresses.ts'
import type { Behaviour } from '../bootstrap-format.ts'
import { describeCitizen } from '../bootstrap.ts'
import { toCitizen } from '../citizens.ts'
import { addCitizens, withOwnId } from './create-sandbox.ts'
import type { OwnHandler } from './own-handler.ts'

const MAX_CITIZENS = 30
const MAX_NAME_CHARACTERS = 100
const BEHAVIOURS: readonly unknown[] = ['manual', 'accepts', 'declines', 'ignores'] satisfies Behaviour[]
const GENDERS: readonly unknown[] = ['female', 'male']

/** A field of the body: its value, or what is wrong with it. */
const RULES: Record<string, { isValid: (value: unknown) => boolean; error: string }> = {
  first_name: { isValid: isName, error: `must be a text of 1 to ${MAX_NAME_CHARACTERS} characters` },
  last_name: { isValid: isName, error: `must be a text of 1 to ${MAX_NAME_CHARACTERS} characters` },
  middle_name: {
    isValid: isNameOrNull,
    error: `must be null or a text of 1 to ${MAX_NAME_CHARACTERS} characters`,
  },
  suffix: {
    isValid: isNameOrNull,
    error: `must be null or a text of 1 to ${MAX_NAME_CHARACTERS} characters`,
  },
  birth_date: { isValid: isDate, error: 'must be a date of the past, such as 1990-04-17' },
  gender: { isValid: (value) => GENDERS.includes(value), error: `must be ${GENDERS.join(' or ')}` },
  passport: { isValid: (value) => typeof value === 'boolean', error: 'must be true or false' },
  behaviour: {
    isValid: (value) => BEHAVIOURS.includes(value),
    error: `must be one of ${BEHAVIOURS.join(', ')}`,
  },
}

type Details = {
  first_name: string
  last_name: string
  middle_name: string | null
  suffix: string | null
  birth_date: string
  gender: string
  passport: boolean
  behaviour: Behaviour
}

/** Creates a synthetic citizen with chosen details in a private sandbox. Every field is required. */
export const createCitizen: OwnHandler = async (service, sandbox, req) => {
  if (sandbox.citizen_ids.length >= MAX_CITIZENS)
    throw new Failure('validation_failed', {
      message: `A sandbox has at most ${MAX_CITIZENS} citizens. Make a new sandbox: POST /sandbox.`,
    })
  const { passport, behaviour, ...person } = readDetails(req.body)
  const citizen = toCitizen(
    { behaviour, passport, address: MAKATI, person },
    randomInt(100, 10_000_000),
    service.config.publicUrl,
  )
  const own = withOwnId(citizen)
  await service.db.transaction().execute((tx) => addCitizens({ ...service, db: tx }, sandbox.id, [own]))
  return { status: 201, body: await describeCitizen(service, own) }
}

function readDetails(body: unknown): Details {
  const fields = (typeof body === 'object' && body ? body : {}) as Record<string, unknown>
  const errors = Object.fromEntries(
    Object.entries(RULES).flatMap(([name, { isValid, error }]) =>
      isValid(fields[name]) ? [] : [[name, [error]]],
    ),
  )
  if (Object.keys(errors).length) throw new Failure('validation_failed', { errors })
  return Object.fromEntries(Object.keys(RULES).map((name) => [name, fields[name]])) as Details
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME_CHARACTERS
}

function isNameOrNull(value: unknown): boolean {
  return value === null || isName(value)
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^(19|20)\d\d-\d\d-\d\d$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) && date.getTime() < Date.now()
}
