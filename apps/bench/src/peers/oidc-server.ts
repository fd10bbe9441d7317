// Peer of the single sign-on benchmark: oidc-provider in one process, which logs each request.
// Usage: `node oidc-server.ts RS256`
import { pino } from 'pino'
import { connect } from './find-record.ts'
import { createOidcProvider } from './oidc-provider.ts'

const log = pino({ base: null })
const provider = createOidcProvider(connect(), process.argv[2]!)

provider.use(async (ctx, next) => {
  const startedAtMs = performance.now()
  await next()
  const ms = performance.now() - startedAtMs
  log.info({ method: ctx.method, path: ctx.path, status: ctx.status, ms }, 'request completed')
})

provider.listen(Number(process.env['PORT']), '127.0.0.1')
