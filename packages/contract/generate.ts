// `npm run generate`
import { generate } from './generator/generate.ts'

try {
  await generate()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
