// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a client whose connection broke sends the request
// again with the same key, and gets the same response. The operations whose document has this parameter take it.
//
// Example: an administrator creates a partner, and the connection breaks before the response arrives. The partner and
// the response are stored, since both are committed together. The second request with this key finds the response and
// sends it. Without a key, the secrets would be lost.
//
// States of a key: unknown; in progress (its row is not committed, and a second request waits for it, then gets 503);
// stored, for some minutes. A refused request stores nothing.
//
// Guarantees: a change and its response are committed together or not at all. Only the caller of the first request gets
// the response, after the usual checks of its token and scopes. A key is compared together with the operation and the
// caller. The response is encrypted and bound to the key, the caller, the operation and the request.
import { hash } from 'node:crypto'
import type { OperationId } from '@tiwala/contract'
import { documents, operationsOf } from '../contract/documents.ts'
import { Failure } from '../failure.ts'
import type { BodyReply, Service } from '../operation.ts'
import { decryptFromText, encryptToText } from '../secrets/encryption.ts'
import { findResponse, insertResponse, type StoredResponse } from './response.sql.ts'

/** `request`: everything that the client has sent, besides the key. */
export type IdempotentRequest = { operationId: string; caller: string; key: string; request: unknown }

type AnyReply = BodyReply<OperationId>

const COMPONENT = '#/components/parameters/IdempotencyKey'
const OPERATIONS = new Set(
  [documents.operator, documents.workbench]
    .flatMap(operationsOf)
    .filter(({ operation }) => operation.parameters?.some(({ $ref }) => $ref === COMPONENT))
    .map(({ operation }) => operation.operationId),
)

export const takesIdempotencyKey = (operationId: string) => OPERATIONS.has(operationId)

/** The stored response to this request, or that of `run`, which is stored with its change. */
export async function runOnce(
  { db, keys, config, partnerCache }: Service,
  { operationId, caller, key, request }: IdempotentRequest,
  run: () => Promise<AnyReply>,
): Promise<AnyReply> {
  const text = JSON.stringify([operationId, caller, key])
  const requestHash = hash('sha256', JSON.stringify(request, sortFields), 'base64url')
  const contextOf = (keyHmac: string) => `idempotent_response.content ${keyHmac} ${requestHash}`

  function readStored({ key_hmac, request_hash, content }: StoredResponse): AnyReply {
    if (request_hash !== requestHash) throw new Failure('idempotency_key_reused')
    const [kid = '', encrypted = ''] = content.split('.')
    const found = keys.find('access-token', kid)
    if (!found) throw new Error(`The key ring lacks the key ${kid}, which encrypts a response. Add it back.`)
    return JSON.parse(decryptFromText(found.key, contextOf(key_hmac), encrypted).toString()) as AnyReply
  }
  function encryptReply({ status, body, headers }: AnyReply): StoredResponse {
    const keyHmac = keys.hmac('idempotency_key', text)
    const { kid, key: current } = keys.current('access-token')
    const content = encryptToText(current, contextOf(keyHmac), JSON.stringify({ status, body, headers }))
    return { key_hmac: keyHmac, request_hash: requestHash, content: `${kid}.${content}` }
  }

  const stored = await findResponse(db, keys.hmacs('idempotency_key', text))
  if (stored) return readStored(stored)
  const reply = await run()
  const commit = async () => {
    await db.transaction().execute(async (tx) => {
      if (!(await insertResponse(tx, encryptReply(reply), config.idempotencyKeyTtlSeconds)))
        throw new Failure('unavailable', {
          retryAfterSeconds: 1,
          message: 'A request with this Idempotency-Key was in progress',
        })
      await reply.commit?.(tx)
    })
    // Until the commit, another request may have read the state before it.
    partnerCache.invalidate()
  }
  return { ...reply, commit }
}

/** A client may send the fields of a body in another order. */
const sortFields = (_: string, value: unknown): unknown =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
