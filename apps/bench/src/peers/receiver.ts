// The server of a partner, a separate process. It accepts every event at any path.
import { createServer } from 'node:http'

const server = createServer((req, res) => void req.resume().on('end', () => void res.writeHead(204).end()))
server.listen(Number(process.env['PORT']), '127.0.0.1')
