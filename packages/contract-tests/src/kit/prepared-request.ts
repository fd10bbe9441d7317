import type { PartnerOperations } from '@tiwala/contract'
import { json } from './body-forms.ts'
import type { Partner, TestService } from './test-service.ts'
import { type RequestParts, secretsOf, VALID_REQUESTS } from './valid-requests.ts'

export type PartnerOperationId = keyof PartnerOperations
export type PreparedRequest = Awaited<ReturnType<typeof prepareRequest>>

/** A call that would succeed, once: to be sent with a fault, and then as it should be. */
export async function prepareRequest(service: TestService, id: PartnerOperationId, by?: Partner) {
  const partner = by ?? (await service.partner())
  const valid = await VALID_REQUESTS[id]({ ...service, partner, citizen: await service.citizen() })
  const right = { ...valid, fields: valid.fields as Record<string, string> | undefined }

  function send(change: Partial<RequestParts> = {}): Promise<Response> {
    const { headers, query, path, fields } = { ...right, ...change }
    const { body, headers: type } = fields ? json(fields) : {}
    return service.send(id, {
      headers: { ...type, ...headers },
      ...(query !== undefined && { query }),
      ...(path && { path }),
      ...(body !== undefined && { body }),
    })
  }
  const sendAs = (other: Partner) =>
    send(right.headers['X-Secret-Code'] ? { headers: other.headers } : { fields: { ...right.fields, ...secretsOf(other) } })
  // The same partner would get the same record for a QR value that it has used: only to somebody else is it worth nothing.
  const isRepeatable = id === 'requestAuthorization' || id === 'profileByQr'

  return {
    id,
    partner,
    ...right,
    send,
    sendAs,
    /** Sends it as it should be. 200: the refusals before have used nothing up. */
    stillWorks: async () => (await (isRepeatable ? sendAs(await service.partner()) : send())).status,
  }
}
