/** A program that receives events at the visitor's own URL and checks their signature. */
export const receiverOf = (
  origin: string,
  secret: string,
) => `// In an empty folder: npm install ${origin}/downloads/tiwala-client.tgz
// Save as receiver.mjs, and run: node receiver.mjs
// My own URL is then http://localhost:3000/events, if the sandbox runs on this machine.
import { createServer } from 'node:http'
import { verifyWebhook } from '@tiwala/client'

createServer(async (req, res) => {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  try {
    const { id, event } = await verifyWebhook(Buffer.concat(chunks), req.headers, '${secret}')
    console.log(id, event.type, event.data)
    res.writeHead(204).end()
  } catch (error) {
    console.log('refused:', error.code)
    res.writeHead(400).end()
  }
}).listen(3000, () => console.log('Waiting for events at http://localhost:3000/events'))`
