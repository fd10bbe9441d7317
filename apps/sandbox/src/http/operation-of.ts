import { routes } from '@tiwala/contract'
import { partnerRoutes } from '@tiwala/contract/partner'
import { citizenUrl } from './clients.ts'
import type { Exchange } from './exchanges.ts'

type PartnerOperation = keyof typeof partnerRoutes
type Routes = Record<string, { method: string; path: string }>

function find(paths: Routes, base: string, { method, url }: Exchange): string | undefined {
  const { pathname } = new URL(url)
  return Object.keys(paths).find((id) => {
    const { method: routeMethod, path } = paths[id]!
    const pattern = new RegExp(`^${base}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return routeMethod === method.toLowerCase() && pattern.test(pathname)
  })
}

/** The operation of a request of the partner. */
export const operationOf = (exchange: Exchange) =>
  find(partnerRoutes, '', exchange) as PartnerOperation | undefined

/** The name of a request: its operation, or its method and the end of its path. */
export const nameOf = (exchange: Exchange): string =>
  operationOf(exchange) ??
  find(routes['citizen-app'], new URL(citizenUrl()).pathname, exchange) ??
  `${exchange.method} ${new URL(exchange.url).pathname.split('/').at(-1)}`
