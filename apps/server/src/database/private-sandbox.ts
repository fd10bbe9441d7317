import { type RawBuilder, sql } from 'kysely'

/** How much older the rows of a private sandbox become: of its partner, of its citizens and between them. */
export type Ageing = { partnerId: number; citizenIds: number[]; seconds: number }

/**
 * Whether a partner or a citizen belongs to a private sandbox. The metrics leave these out. In live the
 * tables are empty.
 */
export const isPrivatePartner = (partnerId: string): RawBuilder<boolean> =>
  sql`exists (select from sandbox where sandbox.partner_id = ${sql.ref(partnerId)})`
export const isPrivateCitizen = (citizenId: string): RawBuilder<boolean> =>
  sql`exists (select from sandbox_citizen where sandbox_citizen.citizen_id = ${sql.ref(citizenId)})`
