// Starts the service: `node apps/server/main.js`.
import './require-node.js'

await import('./src/main.ts')
