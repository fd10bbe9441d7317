import type { RawResponse } from '@tiwala/server/testing-raw-http'
import { checkResponse, isOfApi } from '../contract-check/responses.ts'
import { record } from '../contract-check/traffic.ts'

const STACK_TRACE = / {4}at |node_modules|file:\/\//

/** What is wrong with the response to these bytes, or `undefined`. */
export function responseFault(bytes: Buffer, { status, headers, body }: RawResponse): string | undefined {
  const text = Buffer.from(body, 'latin1').toString()
  if (status >= 500) return `5xx: ${status} ${text}`
  if (!/^req_[0-9A-Za-z]{22}$/.test(headers['x-request-id'] ?? '')) return 'no X-Request-Id'
  if (STACK_TRACE.test(status < 400 ? '' : text)) return `a stack trace: ${text}`
  const [method = '', target = ''] = bytes.toString('latin1').split('\r\n')[0]!.split(' ')
  const pathname = pathOf(target)
  if (!isOfApi(pathname)) return undefined
  // The server cannot match invalid HTTP to an operation, and it sends a body after HEAD too.
  const isUnreadable = text.includes('malformed_request')
  const isBodiless = method === 'HEAD' && !isUnreadable
  if (isBodiless && text !== '') return `a body after HEAD: ${text}`
  const { violations, facts } = checkResponse({
    method,
    pathname: isUnreadable && method === 'HEAD' ? '/' : pathname,
    status,
    headers: new Map(Object.entries(headers)),
    body: isBodiless || headers['content-type']?.startsWith('text/event-stream') ? undefined : text,
  })
  record({ violations: [], facts })
  return violations.length > 0 ? `breaks the contract: ${violations.join('; ')}` : undefined
}

/** The path of a request target, which may have the absolute form. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '')
  return path.split('?')[0]!
}
