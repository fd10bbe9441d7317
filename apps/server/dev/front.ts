// The address that the browser opens. It forwards requests to the server process, holds them while that
// process is replaced, and reloads the open pages afterwards. Requests for the documentation go to the
// process that renders it. Only `npm run dev` has this: the server itself cannot reload a page.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FillValues } from '../src/http/pages/docs-values.ts'

const SCRIPT_PATH = '/dev/reload.js'
const VERSION_PATH = '/dev/version'
const SCRIPT = `let loaded
new EventSource('${VERSION_PATH}').onmessage = ({ data }) => {
  if (loaded && loaded !== data) location.reload()
  loaded = data
}
`

/** Astro's development server has no page at such a path. */
const DOCS_WITH_SLASH = /^(\/docs.*)\/$/

/** The pages of the documentation, and the modules that they load from Astro's development server. */
const DOCS_PATH = /^\/(docs|src|node_modules|@[\w:-]+)(\/|\?|$)/

type Port = () => Promise<number>

/**
 * `backend`: the port of the server process, as soon as it is ready. `docs`: the port of the process that
 * renders the documentation. `fill` replaces the markers in its pages.
 */
export function createFront(backend: Port, docs: Port, fill: FillValues): { server: Server; reload(): void } {
  const pages = new Set<ServerResponse>()
  let version = Date.now()
  const sendVersion = (page: ServerResponse) => page.write(`data: ${version}\n\n`)
  const server = createServer((req, res) => {
    if (req.url === SCRIPT_PATH) res.writeHead(200, { 'Content-Type': 'text/javascript' }).end(SCRIPT)
    else if (req.url === VERSION_PATH) addPage(res)
    else if (DOCS_WITH_SLASH.test(req.url!)) redirect(req.url!.replace(DOCS_WITH_SLASH, '$1'), res)
    else if (DOCS_PATH.test(req.url!)) void forward(req, res, docs, fill)
    else void forward(req, res, backend)
  })
  server.on('upgrade', (req, socket) => void forwardSocket(req, socket, docs))
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

const redirect = (path: string, res: ServerResponse) => res.writeHead(302, { Location: path }).end()

async function forward(
  req: IncomingMessage,
  res: ServerResponse,
  backend: Port,
  fill?: FillValues,
): Promise<void> {
  const fail = ({ message }: Error) =>
    res.headersSent ? res.destroy() : res.writeHead(503, { 'Content-Type': 'text/plain' }).end(`${message}\n`)
  try {
    const { method, url: path } = req
    const headers = { ...req.headers, 'accept-encoding': 'identity', connection: 'close' }
    const forwarded = request(
      { port: await backend(), method, path, headers },
      (answer) => void (fill && isHtml(answer) ? fillPage(answer, res, fill) : copy(answer, res)),
    )
    forwarded.once('error', fail)
    res.once('close', () => forwarded.destroy())
    req.pipe(forwarded)
  } catch (error) {
    fail(error as Error)
  }
}

/** Astro reloads its pages itself, through this socket. */
async function forwardSocket(req: IncomingMessage, socket: Duplex, docs: Port): Promise<void> {
  try {
    const target = connect(await docs(), 'localhost')
    const headers = Object.entries(req.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
    target.write(`GET ${req.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    target.pipe(socket).pipe(target)
    for (const each of [target, socket])
      each.on('error', () => [target, socket].forEach((end) => end.destroy()))
  } catch {
    socket.destroy()
  }
}

const isHtml = ({ headers }: IncomingMessage) => headers['content-type']?.startsWith('text/html') === true

async function fillPage(answer: IncomingMessage, res: ServerResponse, fill: FillValues): Promise<void> {
  const page = fill(await text(answer))
  res.writeHead(answer.statusCode!, { 'Content-Type': 'text/html', 'Cache-Control': 'no-store' }).end(page)
}

/**
 * Copies the response, and adds the script to a page. The browser stores nothing, so that a reload shows what
 * is new.
 */
async function copy(answer: IncomingMessage, res: ServerResponse): Promise<void> {
  const { connection: _, 'content-length': length, ...headers } = answer.headers
  const isPage = isHtml(answer) && answer.statusCode === 200
  res.writeHead(answer.statusCode!, {
    ...headers,
    'cache-control': 'no-store',
    ...(length !== undefined && !isPage && { 'content-length': length }),
  })
  answer.pipe(res, { end: !isPage })
  if (isPage) answer.once('end', () => res.end(`<script src="${SCRIPT_PATH}"></script>\n`))
}
