// A contents list of one entry, the title, helps no reader.
import { defineRouteMiddleware } from '@astrojs/starlight/route-data'

export const onRequest = defineRouteMiddleware(({ locals: { starlightRoute: route } }) => {
  if (route.toc?.items.length === 1 && route.toc.items[0]!.children.length === 0) route.toc = undefined
})
