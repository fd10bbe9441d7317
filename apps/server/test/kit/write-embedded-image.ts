// Writes an image of a migrated embedded database to the file that its argument names. A process of its own: it is busy for seconds.
import { writeFile } from 'node:fs/promises'
import { prepareEmbedded } from '../../src/testing/start-service.ts'

const image = await prepareEmbedded()
await writeFile(process.argv[2]!, Buffer.from(await image.arrayBuffer()))
