import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { PARTNER_COLUMNS } from '../partner.sql.ts'
import type { PartnerRow } from '../partner.ts'

type Filter = {
  status: PartnerRow['status'] | undefined
  text: string | undefined
  after: string | undefined
  limit: number
}

/** Ordered by partner code. The text can be in another Unicode form than the name: macOS decomposes letters. */
export async function findPartners(
  db: Database,
  { status, text, after, limit }: Filter,
): Promise<PartnerRow[]> {
  const { rows } = await sql<PartnerRow>`
    select ${PARTNER_COLUMNS} from partner p
     where (${status ?? null}::text is null or p.status = ${status ?? null})
       and (${text ?? null}::text is null or strpos(lower(p.partner_code), lower(${text ?? null})) > 0
            or strpos(lower(normalize(p.name, NFC)), lower(normalize(${text ?? null}::text, NFC))) > 0)
       and (${after ?? null}::text is null or p.partner_code > ${after ?? null})
     order by p.partner_code limit ${limit}`.execute(db)
  return rows
}
