import type { Adapter, StoredPayload } from 'oidc-provider'
import type pg from 'pg'

/** Stores all models of oidc-provider in one table. Each connection prepares each statement once. */
export const createAdapterFactory =
  (pool: pg.Pool) =>
  (type: string): Adapter => ({
    upsert: async (id, payload, expiresInSeconds) => {
      await pool.query({
        name: 'oidc-upsert',
        text: `
          insert into oidc_model (id, type, payload, grant_id, expires_at)
          values ($1, $2, $3, $4, now() + make_interval(secs => $5))
          on conflict (type, id) do update
             set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
        values: [id, type, JSON.stringify(payload), payload.grantId ?? null, expiresInSeconds ?? null],
      })
    },
    find: async (id) => {
      const { rows } = await pool.query<{ payload: StoredPayload; is_consumed: boolean }>({
        name: 'oidc-find',
        text: `select payload, consumed_at is not null as is_consumed from oidc_model
                where type = $1 and id = $2 and (expires_at is null or now() < expires_at)`,
        values: [type, id],
      })
      return rows[0] && { ...rows[0].payload, ...(rows[0].is_consumed && { consumed: true }) }
    },
    consume: async (id) => {
      await pool.query({
        name: 'oidc-consume',
        text: 'update oidc_model set consumed_at = now() where type = $1 and id = $2',
        values: [type, id],
      })
    },
    destroy: async (id) => {
      await pool.query({
        name: 'oidc-destroy',
        text: 'delete from oidc_model where type = $1 and id = $2',
        values: [type, id],
      })
    },
    revokeByGrantId: async (grantId) => {
      await pool.query({
        name: 'oidc-revoke',
        text: 'delete from oidc_model where grant_id = $1',
        values: [grantId],
      })
    },
    // The measured journey has no sessions and no device codes.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  })
