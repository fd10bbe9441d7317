import { defineConfig } from 'vitest/config'
import browser from './vitest.config.ts'

/** `npm run screenshots` */
export default defineConfig({
  test: { ...browser.test, name: 'pictures', include: ['pictures/pictures.ts'] },
})
