import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import { sidebarOf, siteFromEnvironment } from './src/site.ts'

const site = siteFromEnvironment()

export default defineConfig({
  base: '/docs',
  outDir: site.outDir,
  trailingSlash: 'never',
  // Scripts and styles are files, so that the Content-Security-Policy needs no hashes.
  build: { inlineStylesheets: 'never' },
  vite: {
    build: { assetsInlineLimit: 0 },
    // Astro needs another version of `cookie` than Express, which the built pages would find first.
    environments: { prerender: { resolve: { noExternal: ['cookie', 'js-yaml'] } } },
  },
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: 'Tiwala',
      sidebar: sidebarOf(site),
      disable404Route: true,
      customCss: ['./src/styles/site.css'],
    }),
  ],
})
