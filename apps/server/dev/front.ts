// The address that the browser opens. It forwards requests to the server, holds them while the server starts,
// and reloads the open pages. Requests for the documentation go to Astro, which reloads its pages itself.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'

const SCRIPT_PATH = '/dev/reload.js'
const VERSION_PATH = '/dev/version'
const SCRIPT = `let loaded
new EventSource('${VERSION_PATH}').onmessage = ({ data }) => {
  if (loaded && loaded !== data) location.reload()
  loaded = data
}
`
const addScript = (html: string) => `${html}<script src="${SCRIPT_PATH}"></script>\n`
/** Astro's development server has no page at such a path. */
const DOCS_WITH_SLASH = /^(\/docs.*)\/$/
/** The pages of the documentation, and the modules that they load. */
const DOCS_PATH = /^\/(docs|src|node_modules|@[\w:-]+)(\/|\?|$)/

/** Throws while there is no server, with a text for the browser. */
type Port = () => Promise<number>

/** `fill` completes a page of the documentation. */
export function createFront(backend: Port, docs: Port, fill: (html: string) => string) {
  const pages = new Set<ServerResponse>()
  let version = 0
  const sendVersion = (page: ServerResponse) => page.write(`data: ${version}\n\n`)
  const server = createServer((req, res) => {
    const url = req.url!
    const withoutSlash = DOCS_WITH_SLASH.exec(url)?.[1]
    if (url === SCRIPT_PATH) res.writeHead(200, { 'Content-Type': 'text/javascript' }).end(SCRIPT)
    else if (url === VERSION_PATH) {
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      sendVersion(res)
      pages.add(res)
      res.once('close', () => pages.delete(res))
    } else if (withoutSlash) res.writeHead(302, { Location: withoutSlash }).end()
    else if (DOCS_PATH.test(url)) void forward(req, res, docs, fill)
    else void forward(req, res, backend, addScript)
  })
  server.on('upgrade', (req, socket) => void forwardSocket(req, socket, docs))
  const reload = () => {
    version++
    pages.forEach(sendVersion)
  }
  return { server, reload }
}

async function forward(
  req: IncomingMessage,
  res: ServerResponse,
  to: Port,
  change: (html: string) => string,
) {
  const fail = ({ message }: Error) =>
    res.headersSent ? res.destroy() : res.writeHead(503, { 'Content-Type': 'text/plain' }).end(`${message}\n`)
  try {
    const { method, url: path } = req
    const headers = { ...req.headers, 'accept-encoding': 'identity', connection: 'close' }
    const forwarded = request({ port: await to(), method, path, headers }, (answer) => {
      const { connection: _, 'content-length': length, ...others } = answer.headers
      const isPage = others['content-type']?.startsWith('text/html')
      // The browser stores nothing, so that a reload shows what is new.
      const own = { 'cache-control': 'no-store', ...(length && !isPage && { 'content-length': length }) }
      res.writeHead(answer.statusCode!, { ...others, ...own })
      if (isPage) text(answer).then((html) => res.end(change(html)), fail)
      else answer.pipe(res)
    })
    forwarded.once('error', fail)
    res.once('close', () => forwarded.destroy())
    req.pipe(forwarded)
  } catch (error) {
    fail(error as Error)
  }
}

/** Astro's socket, through which it reloads its pages. */
async function forwardSocket(req: IncomingMessage, socket: Duplex, docs: Port): Promise<void> {
  try {
    const target = connect(await docs(), 'localhost')
    for (const each of [target, socket]) each.on('error', () => (target.destroy(), socket.destroy()))
    const headers = Object.entries(req.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
    target.write(`GET ${req.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    target.pipe(socket).pipe(target)
  } catch {
    socket.destroy()
  }
}
