// Writes an image of a migrated embedded database to the file in its argument. A separate process, because it
// takes seconds.
import { writeFile } from 'node:fs/promises'
import { prepareEmbedded } from '../../src/testing/start-service.ts'

const image = await prepareEmbedded()
await writeFile(process.argv[2]!, Buffer.from(await image.arrayBuffer()))
