// A browser as far as tests need one: it keeps cookies, follows redirects within its origin, and stops outside of it.
type Cookie = { value: string; path: string }

export function createBrowser(origin: string) {
  const cookies = new Map<string, Cookie>()

  async function request(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url)
    const sent = [...cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), ...(sent && { Cookie: sent }) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /; path=([^;]+)/i.exec(line)?.[1] ?? '/'
      if (value) cookies.set(`${name} ${path}`, { value, path })
      else cookies.delete(`${name} ${path}`)
    }
    return response
  }

  /** Opens one page, or sends a form to it, and says where a redirect leads. */
  async function visit(path: string, form?: Record<string, string>) {
    const body = form && { method: 'POST', body: new URLSearchParams(form) }
    const response = await request(new URL(path, origin), body)
    const { status, headers } = response
    return { status, headers, location: headers.get('location'), text: await response.text() }
  }

  /** Follows redirects within the origin. `url`: where it ended; outside of the origin nothing is loaded. */
  async function open(
    url: string | URL,
    init: RequestInit = {},
  ): Promise<{ url: URL; text: string; status: number }> {
    let response = await request(url, init)
    for (let at = new URL(url); ;) {
      const location = response.headers.get('location')
      if (!location) return { url: at, text: await response.text(), status: response.status }
      at = new URL(location, at)
      if (at.origin !== new URL(origin).origin || at.pathname === '/sandbox/signed-in')
        return { url: at, text: '', status: response.status }
      response = await request(at)
    }
  }
  /** Takes cookies of another browser over. */
  const plant = (others: Iterable<[string, Cookie]>) => {
    for (const [key, cookie] of others) cookies.set(key, cookie)
  }
  return { request, visit, open, plant, cookies: () => [...cookies] }
}
