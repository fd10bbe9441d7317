import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'
import type { DocumentName } from '@tiwala/contract'
import type { Loader, LoaderContext } from 'astro/loaders'
import { z } from 'astro/zod'
import { defineCollection } from 'astro:content'
import { operatorGuides } from './operator-guides.ts'
import { site } from './site.ts'

/** The document whose readers a folder of guides is for. */
const DOCUMENT_OF: Record<string, DocumentName> = { guides: 'partner', 'citizen-app': 'citizen-app' }

const isOfSite = (id: string, isSandbox: boolean) => {
  const document = DOCUMENT_OF[id.split('/')[0]!]
  return (!isSandbox || site.environment === 'sandbox') && (!document || site.documents.includes(document))
}

/** The guides of this site. Those of the operator are files of the server. */
const guides = (): Loader => ({
  name: 'guides',
  load: async (context) => {
    await docsLoader().load(context)
    for (const [id, { data }] of context.store.entries())
      if (!isOfSite(id, data['sandbox'] === true)) context.store.delete(id)
    if (site.documents.includes('operator')) await loadOperatorGuides(context)
  },
})

async function loadOperatorGuides({ store, parseData, renderMarkdown }: LoaderContext): Promise<void> {
  for (const { id, title, description, order, markdown } of operatorGuides())
    store.set({
      id,
      data: await parseData({ id, data: { title, description, sidebar: { order } } }),
      body: markdown,
      // Starlight finds the pages of a folder by their files, from the root of Astro.
      filePath: `apps/docs/src/content/docs/${id}.md`,
      rendered: await renderMarkdown(markdown),
    })
}

export const collections = {
  docs: defineCollection({
    loader: guides(),
    schema: docsSchema({ extend: z.object({ sandbox: z.boolean().default(false) }) }),
  }),
}
