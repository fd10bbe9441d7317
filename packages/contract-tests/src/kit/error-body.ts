import type { Schemas } from '@tiwala/contract'

/** The body of a refusal. That it keeps the contract has been seen on its way. */
export const errorBody = async (response: Response): Promise<Schemas['Error']> => (await response.json()) as Schemas['Error']

/** A refusal's bytes and headers, without what differs between any two answers. */
export async function comparable(response: Response): Promise<{ body: string; headers: Record<string, string> }> {
  const requestId = response.headers.get('x-request-id')!
  const { date: _date, ratelimit: _ratelimit, ...headers } = Object.fromEntries(response.headers)
  return { body: (await response.text()).replace(requestId, ''), headers: { ...headers, 'x-request-id': '' } }
}
