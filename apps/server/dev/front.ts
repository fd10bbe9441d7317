// The address that the browser opens. It forwards requests to the server process, holds them while that
// process is
// replaced, and reloads the open pages afterwards. Only `npm run dev` has it: the server itself cannot
// reload a page.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'

const SCRIPT_PATH = '/dev/reload.js'
const VERSION_PATH = '/dev/version'
const SCRIPT = `let loaded
new EventSource('${VERSION_PATH}').onmessage = ({ data }) => {
  if (loaded && loaded !== data) location.reload()
  loaded = data
}
`

/** `backend`: the port of the server process, as soon as it is ready. */
export function createFront(backend: () => Promise<number>): { server: Server; reload(): void } {
  const pages = new Set<ServerResponse>()
  let version = Date.now()
  const sendVersion = (page: ServerResponse) => page.write(`data: ${version}\n\n`)
  const server = createServer((req, res) => {
    if (req.url === SCRIPT_PATH) res.writeHead(200, { 'Content-Type': 'text/javascript' }).end(SCRIPT)
    else if (req.url === VERSION_PATH) addPage(res)
    else void forward(req, res, backend)
  })
  function addPage(page: ServerResponse): void {
    page.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    sendVersion(page)
    pages.add(page)
    page.once('close', () => pages.delete(page))
  }
  const reload = () => {
    version = Date.now()
    pages.forEach(sendVersion)
  }
  return { server, reload }
}

async function forward(
  req: IncomingMessage,
  res: ServerResponse,
  backend: () => Promise<number>,
): Promise<void> {
  const fail = ({ message }: Error) =>
    res.headersSent ? res.destroy() : res.writeHead(503, { 'Content-Type': 'text/plain' }).end(`${message}\n`)
  try {
    const { method, url: path } = req
    const headers = { ...req.headers, 'accept-encoding': 'identity', connection: 'close' }
    const forwarded = request(
      { port: await backend(), method, path, headers },
      (answer) => void copy(answer, res),
    )
    forwarded.once('error', fail)
    res.once('close', () => forwarded.destroy())
    req.pipe(forwarded)
  } catch (error) {
    fail(error as Error)
  }
}

/**
 * Copies the response, and adds the script to a page. The browser stores nothing, so that a reload shows
 * what is new.
 */
async function copy(answer: IncomingMessage, res: ServerResponse): Promise<void> {
  const { connection: _, 'content-length': length, ...headers } = answer.headers
  const isPage = headers['content-type']?.startsWith('text/html') && answer.statusCode === 200
  res.writeHead(answer.statusCode!, {
    ...headers,
    'cache-control': 'no-store',
    ...(length !== undefined && !isPage && { 'content-length': length }),
  })
  answer.pipe(res, { end: !isPage })
  if (isPage) answer.once('end', () => res.end(`<script src="${SCRIPT_PATH}"></script>\n`))
}
