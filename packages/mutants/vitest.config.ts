import { defineConfig } from 'vitest/config'

const mutants = { name: 'mutants', include: ['test/**/*.test.ts'] }

export default defineConfig({ test: { projects: [{ test: mutants }] } })
