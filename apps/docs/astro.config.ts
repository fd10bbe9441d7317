import { satteri } from '@astrojs/markdown-satteri'
import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import { finish } from './integration/finish.ts'
import { labelTables } from './src/label-tables.ts'
import { sandboxParts } from './src/sandbox-parts.ts'
import { sidebar } from './src/sidebar.ts'
import { outDir } from './src/site.ts'

// Astro and Starlight need other versions of these than the ones that their built pages would find. The server is
// loaded as it is, for the policies of its operations.
const resolve = {
  noExternal: ['@astrojs/starlight', 'cookie', 'js-yaml'],
  external: ['@tiwala/server'],
}

const styleOf = (name: string) => `@tiwala/ui/styles/${name}.css`

// The root is that of the repository, with the packages: Astro names the scoped styles of a component by its path
// from here. It would take the absolute path of a component outside, so that each folder gave other bytes.
export default defineConfig({
  root: '../..',
  base: '/docs',
  outDir,
  trailingSlash: 'never',
  // Scripts and styles are files, so that the Content-Security-Policy needs no hashes.
  build: { inlineStylesheets: 'never' },
  vite: {
    // The packages whose code the pages contain.
    build: { assetsInlineLimit: 0, license: { fileName: 'licenses.json' } },
    // `prerender` builds pages, `ssr` renders them in `npm run dev`.
    environments: { prerender: { resolve }, ssr: { resolve } },
  },
  devToolbar: { enabled: false },
  image: { service: passthroughImageService() },
  markdown: { processor: satteri({ mdastPlugins: [sandboxParts], hastPlugins: [labelTables] }) },
  integrations: [
    starlight({
      title: 'Tiwala',
      sidebar,
      disable404Route: true,
      routeMiddleware: './apps/docs/src/route-middleware.ts',
      // Otherwise a word in the short title of an administrator's operation counts more than a guide about it.
      pagefind: { ranking: { pageLength: 0.3, termFrequency: 0.5, metaWeights: { title: 0.5 } } },
      customCss: ['tokens', 'components'].map(styleOf).concat('./apps/docs/src/styles/site.css'),
      favicon: '/favicon.svg',
      components: Object.fromEntries(
        ['MarkdownContent', 'PageTitle', 'Search', 'SiteTitle', 'SocialIcons'].map((name) => [
          name,
          `./apps/docs/src/components/${name}.astro`,
        ]),
      ),
      // Long lines wrap, so that no code scrolls sideways.
      expressiveCode: {
        defaultProps: {
          wrap: true,
          // Without it, the rest of a wrapped line looks like a command of its own.
          hangingIndent: 4,
          overridesByLang: { 'sh,shell,bash,http': { frame: 'none' } },
        },
        styleOverrides: {
          borderRadius: '0.5rem',
          borderColor: 'var(--line)',
          codeBackground: 'var(--sunk)',
          codeFontFamily: 'var(--mono)',
          codeFontSize: '0.8125rem',
          frames: {
            frameBoxShadowCssValue: 'none',
            editorBackground: 'var(--sunk)',
            editorTabBarBackground: 'var(--page)',
            editorActiveTabBackground: 'var(--sunk)',
            editorActiveTabIndicatorTopColor: 'var(--accent)',
          },
        },
      },
    }),
    finish(),
  ],
})
