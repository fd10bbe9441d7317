// The theme of a reader without JavaScript. Starlight writes the dark theme into each page, and a script then
// sets the reader's. Here a page has no theme until the script sets one, and without a theme the style sheets
// follow the color scheme that the reader prefers. The script runs before the page is painted.

const RULE_FOR_LIGHT = /([^{};]*\[data-theme=['"]?light['"]?\][^{};]*)(\{[^{}]*\})/g
const IS_LIGHT = /\[data-theme=['"]?light['"]?\]/g
/** As specific as `IS_LIGHT`, and true for the root only. */
const HAS_NO_THEME = ':where(:root):not([data-theme])'

export const withoutTheme = (html: string): string => html.replace(/(<html[^>]*) data-theme="\w+"/, '$1')

/** Repeats each rule of the light theme for pages without a theme. */
export const followColorScheme = (css: string): string =>
  css.replaceAll(
    RULE_FOR_LIGHT,
    (rule, selector: string, body: string) =>
      `${rule}@media (prefers-color-scheme: light){${selector.replaceAll(IS_LIGHT, HAS_NO_THEME)}${body}}`,
  )
