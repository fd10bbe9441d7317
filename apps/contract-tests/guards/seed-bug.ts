// Preloaded into each Node process of a test run by `main.ts`: puts the bug of TIWALA_SEEDED_BUG into one source
// file of the service when Node loads it.
import { registerHooks } from 'node:module'
import type { Bug } from './main.ts'

const { file, original, replacement } = JSON.parse(process.env['TIWALA_SEEDED_BUG']!) as Bug

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(`/${file}`)) return loaded
    const { source } = loaded
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
    // A function, since `$` has a meaning in a replacement text.
    return { ...loaded, source: text.replace(original, () => replacement) }
  },
})
