// A member of a partner in a browser, as far as tests need one.
import type { Body, OperationId, Path, Success, WorkbenchOperations } from '@tiwala/contract'
import { send } from '@tiwala/kit/operations'
import { createBrowser } from './browser.ts'

type WorkbenchId = keyof WorkbenchOperations
type Headers = Record<string, string>
type Call<Id extends OperationId> = {
  path?: Path<Id>
  body?: Body<Id>
  query?: Record<string, string>
  headers?: Headers
}

/** Calls an operation of the workbench with the headers of a session. */
export const callWorkbench =
  (url: string, session: Headers) =>
  async <Id extends WorkbenchId>(id: Id, { path, body, query, headers }: Call<Id> = {}) => {
    const response = await send(url, id, {
      headers: { ...session, ...headers },
      ...(path && { path }),
      ...(query && { query }),
      ...(body !== undefined && { json: body }),
    })
    const answer = (await response.json()) as Success<Id> & { error?: string; errors?: object }
    return { status: response.status, body: answer, headers: response.headers }
  }

/** What the sign-in of a page and the sandbox's identity provider lead to. */
export async function arriveAtProvider(url: string, query: Record<string, string> = {}, path = '/workbench') {
  const browser = createBrowser(url)
  const page = await browser.open(`${url}${path}/sign-in?${String(new URLSearchParams(query))}`)
  const links = [...page.text.matchAll(/href="([^"]+)"><strong>([^<]+)</g)].map(
    ([, link, email]) => [email!, link!.replaceAll('&#38;', '&')] as const,
  )
  return { browser, page, people: new Map(links) }
}

/** Signs in as a person of the sandbox's identity provider, by the whole protocol. */
export async function signInAs(url: string, person: string, query: Record<string, string> = {}) {
  const { browser, people } = await arriveAtProvider(url, query)
  const [, link] = [...people].find(([email]) => email.startsWith(person))!
  const response = await browser.request(link)
  const cookies = response.headers.getSetCookie()
  const cookie = cookies.find((line) => /^(__Host-)?tiwala-workbench=/.test(line))
  const session: Headers = cookie ? { Cookie: cookie.split(';')[0]! } : {}
  return { browser, response, cookies, session, call: callWorkbench(url, session) }
}
