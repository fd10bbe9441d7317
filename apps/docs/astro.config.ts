import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import { finish } from './integration/finish.ts'
import { sidebar } from './src/sidebar.ts'
import { outDir } from './src/site.ts'

export default defineConfig({
  base: '/docs',
  outDir,
  trailingSlash: 'never',
  // Scripts and styles are files, so that the Content-Security-Policy needs no hashes.
  build: { inlineStylesheets: 'never' },
  vite: {
    build: { assetsInlineLimit: 0 },
    // Astro needs another version of `cookie` than Express, which the built pages would find first.
    environments: {
      prerender: { resolve: { noExternal: ['cookie', 'js-yaml'], external: ['@tiwala/server'] } },
    },
  },
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: 'Tiwala',
      sidebar,
      disable404Route: true,
      customCss: ['./src/styles/site.css'],
      favicon: '/favicon.svg',
      expressiveCode: { defaultProps: { overridesByLang: { 'sh,bash,http': { frame: 'none' } } } },
    }),
    finish(),
  ],
})
