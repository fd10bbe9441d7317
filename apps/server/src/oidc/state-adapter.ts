// The storage of oidc-provider (its interface `Adapter`) in PostgreSQL. Every process sees the same state, and it
// survives a restart.
//
// Guarantees: an id, which is a bearer secret for most models, is stored as an HMAC. The content, which names the
// citizen, is encrypted and bound to its row. A pushed request and a proof are consumed by one statement, so that of two
// parallel requests one fails. The statement that discloses a sign-in consumes its code.
import type { Adapter, AdapterFactory, AdapterPayload, errors as Errors } from 'oidc-provider'
import type { Service } from '../operation.ts'
import { PARTNER_CODE } from '../partners/partner.ts'
import { decryptFromText, encryptToText } from '../secrets/encryption.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { findRegistration } from '../sign-ins/registration/registration.sql.ts'
import {
  consumeState,
  deleteState,
  deleteStateOfGrant,
  findState,
  findStateByUid,
  insertState,
  putState,
  type StateRow,
} from '../sign-ins/state.sql.ts'

const grantText = (grantId: string) => `grant ${grantId}`
export const grantHmac = (keys: KeyRing, grantId: string) => keys.hmac('oidc_state', grantText(grantId))
export const grantHmacs = (keys: KeyRing, grantId: string) => keys.hmacs('oidc_state', grantText(grantId))

/** An interaction names the grant of an earlier sign-in, and must outlive it. */
const ENDS_WITH_GRANT = new Set(['AccessToken', 'AuthorizationCode'])

/** Longer than the request of the citizen, so that the browser can still tell the partner how it ended. */
export const INTERACTION_SECONDS = 600

/**
 * How much longer a row is kept after it has expired. A pushed request is consumed at the end of its interaction: without its
 * row, it could give two codes.
 */
const KEPT_SECONDS: Record<string, number> = { PushedAuthorizationRequest: INTERACTION_SECONDS }

/** For models that the library never lets expire. */
const MAX_SECONDS = 3_600

/** `errors`: those of the library, which is loaded late. `toClient`: the metadata of a client. */
export const createAdapter =
  (
    { db, keys }: Pick<Service, 'db' | 'keys'>,
    errors: typeof Errors,
    toClient: (
      row: Awaited<ReturnType<typeof findRegistration>>,
      partnerCode: string,
    ) => AdapterPayload | undefined,
  ): AdapterFactory =>
  (model): Adapter => {
    const keptSeconds = KEPT_SECONDS[model] ?? 0
    const hmac = (id: string) => keys.hmac('oidc_state', `${model} ${id}`)
    const byId = (id: string) => ({ model, hmacs: keys.hmacs('oidc_state', `${model} ${id}`) })
    const contextOf = (idHmac: string) => `oidc_state.content ${model} ${idHmac}`

    function encryptContent(idHmac: string, payload: AdapterPayload): string {
      const { kid, key } = keys.current('access-token')
      return `${kid}.${encryptToText(key, contextOf(idHmac), JSON.stringify(payload))}`
    }
    /** `undefined`: its key was removed. */
    function decryptContent(row: StateRow | undefined): AdapterPayload | undefined {
      const [kid = '', encrypted = ''] = row?.content.split('.') ?? []
      const found = row && keys.find('access-token', kid)
      if (!found) return undefined
      const text = decryptFromText(found.key, contextOf(row.id_hmac), encrypted).toString()
      return {
        ...(JSON.parse(text) as AdapterPayload),
        ...(row.is_consumed && { consumed: true }),
        // By the clock of the database: the library then finds it only to consume it.
        ...(row.seconds_left <= keptSeconds && { exp: 1 }),
      }
    }
    return {
      upsert: async (id, payload, expiresIn = MAX_SECONDS) => {
        const idHmac = hmac(id)
        const state = {
          model,
          idHmac,
          content: encryptContent(idHmac, payload),
          grantHmac:
            payload.grantId !== undefined && ENDS_WITH_GRANT.has(model)
              ? grantHmac(keys, payload.grantId)
              : null,
          uidHmac: payload.uid === undefined ? null : keys.hmac('oidc_state', `${model} uid ${payload.uid}`),
          seconds: Math.max(1, expiresIn) + keptSeconds,
        }
        if (model !== 'ReplayDetection') await putState(db, state)
        // The library has looked for it, but another request may have stored it since.
        else if (!(await insertState(db, state))) throw new errors.InvalidRequest('the proof was used before')
      },
      find: async (id) =>
        model === 'Client'
          ? // PostgreSQL fails for some texts, for example with a zero byte.
            toClient(PARTNER_CODE.test(id) ? await findRegistration(db, id) : undefined, id)
          : decryptContent(await findState(db, byId(id))),
      findByUid: async (uid) =>
        decryptContent(
          await findStateByUid(db, { model, hmacs: keys.hmacs('oidc_state', `${model} uid ${uid}`) }),
        ),
      // Only for the device flow, which is off.
      findByUserCode: async () => undefined,
      consume: async (id) => {
        // A failure after this step would use up the code before anything is disclosed (`discloseSignIn`).
        if (model === 'AuthorizationCode') return
        if (!(await consumeState(db, byId(id)))) throw new errors.InvalidGrant('it was used before')
      },
      destroy: (id) => deleteState(db, byId(id)),
      revokeByGrantId: (grantId) => deleteStateOfGrant(db, grantHmacs(keys, grantId)),
    }
  }
