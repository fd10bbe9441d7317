#!/usr/bin/env node
import '@tiwala/server/require-node'

await import('./src/main.ts')
