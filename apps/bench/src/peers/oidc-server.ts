// Peer of the SSO journey: oidc-provider in one process, logging each request as the others do.
import { pino } from 'pino'
import { connect } from './find-record.ts'
import { createProvider, type Signature } from './create-oidc-provider.ts'

const log = pino({ base: null })
const provider = createProvider(connect(), process.env['BENCH_SIGNATURE'] as Signature)

provider.use(async (ctx, next) => {
  const startedAtMs = performance.now()
  await next()
  log.info({ method: ctx.method, path: ctx.path, status: ctx.status, ms: performance.now() - startedAtMs }, 'answered')
})

provider.listen(Number(process.env['PORT']), '127.0.0.1')
