// Peer of the single sign-on benchmark: oidc-provider in one process, which logs each request.
import { pino } from 'pino'
import { createOidcProvider, type SignatureAlgorithm } from './create-oidc-provider.ts'
import { connect } from './find-record.ts'

const log = pino({ base: null })
const provider = createOidcProvider(connect(), process.env['BENCH_SIGNATURE_ALGORITHM'] as SignatureAlgorithm)

provider.use(async (ctx, next) => {
  const startedAtMs = performance.now()
  await next()
  const ms = performance.now() - startedAtMs
  log.info({ method: ctx.method, path: ctx.path, status: ctx.status, ms }, 'request completed')
})

provider.listen(Number(process.env['PORT']), '127.0.0.1')
