// Moves the inline scripts and the style attributes of a page into files, because the Content-Security-Policy
// allows neither. Each distinct script and style is stored once.
import { createHash } from 'node:crypto'

/** A tag with its attributes. A quoted value may hold `>`. */
const TAG = /<[a-z][\w-]*(?:\s+[^\s"'>=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*\s*\/?>/g
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)(?<attributes>[^>]*)>(?<code>[^]*?)<\/script>/g
/** How the style sheet of Expressive Code finds the colored parts of code, before and after. */
const COLORED_PART = `span[style^='--']:not([class])`
const MOVED_COLORED_PART = `span[class^='v-']`

/** The scripts by file name, and the styles by class. */
export type Moved = { scripts: Map<string, string>; styles: Map<string, string> }

export const nothingMoved = (): Moved => ({ scripts: new Map(), styles: new Map() })

export const moveInline = (html: string, moved: Moved): string =>
  html
    .replaceAll(INLINE_SCRIPT, (_, attributes: string, code: string) => {
      const name = `_astro/inline.${hashOf(code)}.js`
      moved.scripts.set(name, code)
      return `<script${attributes} src="/docs/${name}"></script>`
    })
    .replaceAll(TAG, (tag) => moveStyle(tag, moved))

function moveStyle(tag: string, { styles }: Moved): string {
  const [attribute, style] = tag.match(/\sstyle="([^"]*)"/) ?? []
  if (attribute === undefined || style === undefined) return tag
  const rest = tag.replace(attribute, '')
  const name = `v-${hashOf(style)}`
  styles.set(name, style.replaceAll(/&#39;|&#x27;/g, "'").replaceAll('&quot;', '"'))
  return rest.includes(' class="')
    ? rest.replace(' class="', ` class="${name} `)
    : rest.replace(/^<[\w-]+/, (start) => `${start} class="${name}"`)
}

export const toStyleSheet = ({ styles }: Moved) =>
  [...styles].map(([name, style]) => `.${name}{${style}}`).join('\n')

/** Without this, code silently has no colors. */
export function colorsInFile(css: string): string {
  if (!css.includes(COLORED_PART)) throw new Error('Expressive Code finds colored code in another way now.')
  return css.replaceAll(COLORED_PART, MOVED_COLORED_PART)
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8)
