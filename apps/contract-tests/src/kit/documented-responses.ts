import { partnerRoutes } from '@tiwala/contract/partner'
import { documents, partOf } from '../contract-check/documents.ts'

const REQUEST_ID = 'req_5Hb2pYJ7Qn0sVtXw8RkZc1'

/** A success of the service: the named example of the document, with the headers of the service. */
function success(id: keyof typeof partnerRoutes, example: string, state: string) {
  const { path, method } = partnerRoutes[id]
  const operation = documents.partner.paths[path]![method]!
  const keys = ['responses', '200', 'content', 'application/json', 'examples', example]
  const part = partOf({ document: 'partner', pointer: '', value: operation }, ...keys)
  return {
    body: part!.value['value'] as { data: Record<string, unknown> },
    headers: {
      'Content-Type': 'application/json',
      'X-Request-Id': REQUEST_ID,
      'X-Authorization-State': state,
      'X-Time-Zone': 'Asia/Manila',
    },
  }
}

export const PENDING = success('inquire', 'pending', 'PENDING')
export const ACCEPTED = success('inquire', 'accepted', 'ACCEPTED')
export const SIGNED_IN = success('authenticate', 'signedIn', '')
export const TOKEN = { body: { access_token: 'twa_token' }, headers: SIGNED_IN.headers }

/** A refusal of the service. */
export const refusalBody = (status: number, error: string) => ({
  status,
  message: 'Not now',
  error,
  request_id: REQUEST_ID,
})
