import type { PartnerOperations } from '@tiwala/contract'
import { json } from './body-forms.ts'
import type { TestService } from './test-service.ts'
import type { Partner } from './users.ts'
import { type RequestParts, secretsOf, validRequest } from './valid-requests.ts'

export type PartnerOperationId = keyof PartnerOperations

/** A valid single-use request. Tests send it with a fault first, and then unchanged. */
export async function prepareRequest(service: TestService, id: PartnerOperationId, by?: Partner) {
  const partner = by ?? (await service.partner())
  const valid = await validRequest(id, { ...service, partner, citizen: await service.citizen() })
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
    send(
      right.headers['X-Secret-Code']
        ? { headers: other.headers }
        : { fields: { ...right.fields, ...secretsOf(other) } },
    )
  // A partner that sends its used QR value again gets the same record. For another partner the value is used.
  const isRepeatable = id === 'requestAuthorization' || id === 'profileByQr'

  return {
    id,
    partner,
    ...right,
    send,
    sendAs,
    /** Sends the request unchanged. 200: the earlier refusals have not used its code or QR value. */
    stillWorks: async () => (await (isRepeatable ? sendAs(await service.partner()) : send())).status,
  }
}
