import type { Schemas } from '@tiwala/contract'

/** The body of a refusal. The test service has already validated it against the contract. */
export const errorBody = async (response: Response): Promise<Schemas['Error']> =>
  (await response.json()) as Schemas['Error']

/** The body and the headers of a refusal, without the values that differ between any two responses. */
export async function comparable(
  response: Response,
): Promise<{ body: string; headers: Record<string, string> }> {
  const requestId = response.headers.get('x-request-id')!
  const {
    date: _date,
    ratelimit: _ratelimit,
    traceparent: _traceparent,
    ...headers
  } = Object.fromEntries(response.headers)
  return { body: (await response.text()).replace(requestId, ''), headers: { ...headers, 'x-request-id': '' } }
}
