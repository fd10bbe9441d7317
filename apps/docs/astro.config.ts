import { satteri } from '@astrojs/markdown-satteri'
import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import { finish } from './integration/finish.ts'
import { labelTables } from './src/label-tables.ts'
import { sidebar } from './src/sidebar.ts'
import { outDir } from './src/site.ts'

export default defineConfig({
  base: '/docs',
  outDir,
  trailingSlash: 'never',
  // Scripts and styles are files, so that the Content-Security-Policy needs no hashes.
  build: { inlineStylesheets: 'never' },
  vite: {
    // The packages whose code the pages contain.
    build: { assetsInlineLimit: 0, license: { fileName: 'licenses.json' } },
    // Astro and Starlight need other versions of these than the ones that their built pages would find. The
    // server is loaded as it is, for the policies of its operations.
    environments: {
      prerender: { resolve: { noExternal: ['cookie', 'js-yaml'], external: ['@tiwala/server'] } },
    },
  },
  devToolbar: { enabled: false },
  image: { service: passthroughImageService() },
  markdown: { processor: satteri({ hastPlugins: [labelTables] }) },
  integrations: [
    starlight({
      title: 'Tiwala',
      sidebar,
      disable404Route: true,
      customCss: ['./src/styles/site.css'],
      favicon: '/favicon.svg',
      components: { MarkdownContent: './src/components/MarkdownContent.astro' },
      // Long lines wrap, so that no code scrolls sideways.
      expressiveCode: {
        defaultProps: { wrap: true, overridesByLang: { 'sh,shell,bash,http': { frame: 'none' } } },
      },
    }),
    finish(),
  ],
})
