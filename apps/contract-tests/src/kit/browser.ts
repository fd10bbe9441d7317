/** A browser as far as the examples need one: it keeps cookies, and shows where a redirect leads. */
export function createBrowser(origin: string) {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async open(path: string, form?: Record<string, string>) {
      const response = await fetch(new URL(path, origin), {
        redirect: 'manual',
        headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
        cookies.set(name!, value!)
      }
      return {
        status: response.status,
        location: response.headers.get('location'),
        headers: response.headers,
        text: await response.text(),
      }
    },
  }
}
