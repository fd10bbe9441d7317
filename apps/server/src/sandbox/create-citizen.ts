import { randomInt } from 'node:crypto'
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { Failure } from '../failure.ts'
import { BEHAVIORS, type Behavior } from './bootstrap-format.ts'
import { describeCitizen } from './bootstrap.ts'
import { MAKATI, toCitizen } from './citizens.ts'
import { addCitizens, withOwnId } from './create-sandbox.ts'
import { ownHandler } from './own-handler.ts'

const MAX_CITIZENS = 30
const NAME = {
  type: 'string',
  pattern: '\\S',
  allOf: [{ pattern: operator.components.schemas.PersonText.pattern }],
  maxLength: 100,
}
const NAME_OR_NULL = { ...NAME, type: ['string', 'null'] }
const BIRTH_DATE = { type: 'string', format: 'date', formatMinimum: '1900-01-01' }

type Details = {
  first_name: string
  last_name: string
  middle_name: string | null
  suffix: string | null
  birth_date: string
  gender: string
  passport: boolean
  behavior: Behavior
}

/** Creates a synthetic citizen with chosen details in a sandbox. */
export const createCitizen = ownHandler<Details>(
  {
    first_name: NAME,
    last_name: NAME,
    middle_name: NAME_OR_NULL,
    suffix: NAME_OR_NULL,
    birth_date: BIRTH_DATE,
    gender: { enum: ['female', 'male'] },
    passport: { type: 'boolean' },
    behavior: { enum: BEHAVIORS },
  },
  async (service, sandbox, { passport, behavior, ...person }) => {
    if (sandbox.citizen_ids.length >= MAX_CITIZENS)
      throw new Failure('validation_failed', {
        message: `A sandbox has at most ${MAX_CITIZENS} citizens. Make a new sandbox: POST /sandbox.`,
      })
    if (person.birth_date > new Date().toISOString().slice(0, 10))
      throw new Failure('validation_failed', { errors: { birth_date: ['must not be after today'] } })
    const details = { behavior, passport, address: MAKATI, person }
    const citizen = withOwnId(toCitizen(details, randomInt(100, 10_000_000), service.config.publicUrl))
    await service.db.transaction().execute((tx) => addCitizens({ ...service, db: tx }, sandbox.id, [citizen]))
    return { status: 201, body: await describeCitizen(service, citizen) }
  },
)
