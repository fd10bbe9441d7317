import { defineConfig } from 'vitest/config'
import browser from './vitest.config.ts'

/** `npm run pictures` */
export default defineConfig({
  test: { ...browser.test, name: 'pictures', include: ['pictures/pictures.ts'] },
})
