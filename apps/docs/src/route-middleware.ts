import { defineRouteMiddleware, type StarlightRouteData } from '@astrojs/starlight/route-data'

type Entry = StarlightRouteData['sidebar'][number]
const linksOf = (entry: Entry): (Entry & { type: 'link' })[] =>
  entry.type === 'link' ? [entry] : entry.entries.flatMap(linksOf)

export const onRequest = defineRouteMiddleware(({ locals: { starlightRoute: route }, url }) => {
  // A contents list of one entry, the title, helps no reader.
  if (route.toc?.items.length === 1 && route.toc.items[0]!.children.length === 0) route.toc = undefined
  // The page of an error code has no entry, so the one of their list is marked.
  const links = route.sidebar.flatMap(linksOf)
  const parent = links.find(({ href }) => url.pathname.startsWith(`${href}/`))
  if (parent && !links.some(({ isCurrent }) => isCurrent)) parent.isCurrent = true
})
