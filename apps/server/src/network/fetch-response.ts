import { type IncomingMessage, request as requestByHttp, type RequestOptions } from 'node:http'
import { request as requestByHttps } from 'node:https'

/**
 * How long Node tries one address of a host that has several, before it closes this attempt and tries the
 * next one. Its default, 250 ms, is too short for a distant server, and the next address may be one of IPv6,
 * which this machine may not have. 1.5 s is enough for a connection whose first packet was lost, and leaves
 * 1 s for the next address when the keys of a partner are fetched (`oidc/fetch-keys.ts`).
 */
export const CONNECT_TIMEOUT_MS = 1_500

/** Sends a request, and resolves when the response begins. Follows no redirect. */
export function fetchResponse(
  url: string | URL,
  options: RequestOptions,
  body = '',
): Promise<IncomingMessage> {
  const send = String(url).startsWith('https:') ? requestByHttps : requestByHttp
  const settings = { autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_MS, ...options }
  return new Promise((resolve, reject) => {
    const request = send(url, settings, resolve).on('error', reject)
    // After a switch to another protocol (status 101), Node emits neither a response nor an error, and the
    // abort of `signal` does nothing.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
    request.end(body)
  })
}
