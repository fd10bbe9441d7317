// Makes and edits a key ring: `npm run keys`.
import './require-node.js'

await import('./keys.ts')
