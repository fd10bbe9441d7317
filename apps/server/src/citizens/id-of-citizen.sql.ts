import { sql } from 'kysely'

/** The id of the citizen that the registry has under one of these HMACs, as a sub-select. */
export const idOfCitizen = (uniqidHmacs: string[]) =>
  sql`(select id from citizen where uniqid_hmac = any(${uniqidHmacs}))`
