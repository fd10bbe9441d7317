import express, { type Express } from 'express'
import { hasSandboxStaff, type Identities } from './authentication/identity-tokens.ts'
import { createSecurityHandlers } from './authentication/security-handlers.ts'
import type { Listener } from './config.ts'
import { consoleFront } from './console/front.ts'
import { basePathOf } from './contract/documents.ts'
import type { Recorder } from './diagnostics/recorder.ts'
import { Failure } from './failure.ts'
import type { Figures } from './figures/count-figures.ts'
import {
  createCredentialThrottle,
  rateLimitByAddress,
  rateLimitRefusedCredentials,
} from './http/load/address-limits.ts'
import { createAdmission } from './http/load/admission.ts'
import { enforceDailyQuota, rateLimitPartner } from './http/load/partner-limits.ts'
import { rateLimitWrites } from './http/load/write-limits.ts'
import { docsSite } from './http/pages/docs-site.ts'
import { createFillValues } from './http/pages/docs-values.ts'
import { downloads } from './http/pages/downloads.ts'
import { openApiDocuments, ownStyles, skipForOperations, startPageOf } from './http/pages/pages.ts'
import { createByteBudget } from './http/pages/static-response.ts'
import { readBody, readLongBody } from './http/pipeline/body.ts'
import { compose } from './http/pipeline/compose.ts'
import { announceDeprecation } from './http/pipeline/deprecation.ts'
import { dispatch } from './http/pipeline/dispatch.ts'
import { recordPassed } from './http/pipeline/exchange.ts'
import type { ForwardedReader } from './http/pipeline/forwarded.ts'
import { checkHeaders, forbidStoring, normalizeContentType } from './http/pipeline/headers.ts'
import { requireHost } from './http/pipeline/host.ts'
import { logRequests } from './http/pipeline/log.ts'
import { answerPreflight } from './http/pipeline/preflight.ts'
import { recordRefusals } from './http/pipeline/record-refusals.ts'
import { recordRequests } from './http/pipeline/record-requests.ts'
import { captureValidatedBody } from './http/pipeline/reply.ts'
import { setSecurityHeaders } from './http/pipeline/security-headers.ts'
import { createSendFailure, createSendLastResort } from './http/pipeline/send-failure.ts'
import { contractOf } from './http/pipeline/warm-up.ts'
import { health, type Readiness } from './http/process/health.ts'
import { metrics } from './http/process/metrics.ts'
import { inFlight, queued } from './metrics/registry.ts'
import { oidcFront } from './oidc/front.ts'
import type { Service } from './operation.ts'
import type { Sightings } from './operators/sightings.ts'
import type { Quotas } from './partners/usage/quotas.ts'
import type { RequestLog } from './requests/request-log.ts'
import { hasSandboxOperators, sandboxOperators } from './sandbox/operators.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { hasSandbox } from './sandbox/sandboxes.sql.ts'
import { sandboxStaff } from './sandbox/staff.ts'
import type { UseCollector } from './use/collect-use.ts'
import { workbenchFront } from './workbench/front.ts'

/** For all clients without credentials together. A page of the documentation takes 100 KB. */
const ANONYMOUS_BYTES_PER_SECOND = 64 * 1024 * 1024

/** `longRunning`: the service with connections for long-running operations; `replica`: the one that reads a standby. */
type AppDependencies = {
  service: Service
  longRunning: Service
  replica: Service | undefined
  identities: Identities
  readForwarded: ForwardedReader['readForwarded']
  readiness: () => Promise<Readiness>
  recorder: Recorder
  quotas: Quotas
  requestLog: RequestLog
  figures: Figures
  use: UseCollector
  see: Sightings
  listener: Listener
}

/** The Express app of one listener. Each request passes the middleware in the order below. */
export async function createApp({
  service,
  longRunning,
  replica,
  identities,
  readForwarded,
  readiness,
  recorder,
  quotas,
  requestLog,
  figures,
  use,
  see,
  listener,
}: AppDependencies): Promise<Express> {
  const { config, log } = service
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing')
  app.set('trust proxy', config.trustedProxies)
  const sendFailure = createSendFailure(config.publicUrl)
  const { rejectIfOverloaded, startDeadline, acquireSlot, ...load } = createAdmission({
    admission: config.admission,
    sendFailure,
  })
  const { securityHandlers, authenticateByBody } = createSecurityHandlers(service, identities, see, (code) =>
    hasSandbox(service.db, code),
  )
  if (listener.hasPages) {
    inFlight.readWith(load.inFlight)
    queued.readWith(load.queued)
  }
  app.locals['securityHandlers'] = securityHandlers

  const isLive = config.environment === 'live'
  const budget = createByteBudget(ANONYMOUS_BYTES_PER_SECOND)
  const throttle = createCredentialThrottle(config)
  // The health checks come first, so that they work under any load.
  const nonApiRoutes = [
    health(readiness, listener, config),
    ...(listener.hasPages ? [] : [metrics()]),
    rejectIfOverloaded,
    rateLimitByAddress(config.anonymousPerSecond),
    openApiDocuments(listener, config, budget),
    docsSite(listener.docs, createFillValues(config, listener), budget),
  ]
  const staff = hasSandboxStaff(config) ? sandboxStaff(service) : undefined
  const operators = hasSandboxOperators(config) ? sandboxOperators(service) : undefined
  nonApiRoutes.push(await ownStyles(budget))
  if (listener.hasPages)
    nonApiRoutes.push(
      startPageOf(budget, { isLive, consoleUrl: operators && `${config.console.url}/console/` }),
      await downloads(listener, budget, isLive),
      ...(listener.documents.includes('partner')
        ? [await oidcFront(service, budget, { record: recorder.record, throttle, quotas })]
        : []),
    )
  if (listener.hasPages && listener.documents.includes('workbench'))
    nonApiRoutes.push(await workbenchFront(service, budget, staff?.provider))
  if (listener.hasPages && !isLive)
    nonApiRoutes.push(await sandboxRoutes(service, longRunning, budget, [staff, operators]))
  if (listener.documents.includes('operator'))
    nonApiRoutes.push(await consoleFront(service, identities, budget, operators?.provider))
  app.use(
    compose(
      logRequests(log),
      ...(listener.documents.includes('partner') ? [recordRequests(requestLog, figures, use)] : []),
      readForwarded,
      setSecurityHeaders,
      announceDeprecation(listener.documents),
      requireHost,
      skipForOperations(compose(nonApiRoutes)),
      forbidStoring,
      checkHeaders,
      ...(listener.documents.includes('partner') ? [answerPreflight] : []),
      normalizeContentType,
      readBody,
      recordPassed('request'),
      startDeadline,
      captureValidatedBody,
    ),
  )
  const limits = [rateLimitPartner(config), rateLimitWrites(config), enforceDailyQuota(quotas)]
  // The partner document has the base path `/`, so it comes last.
  for (const name of (['operator', 'citizen-app', 'workbench', 'partner'] as const).filter((document) =>
    listener.documents.includes(document),
  )) {
    const contract = await contractOf(name, Object.keys(securityHandlers), { isWarm: isLive })
    app.use(
      basePathOf(name) || '/',
      compose(
        contract,
        recordPassed('fields'),
        authenticateByBody,
        acquireSlot,
        readLongBody,
        limits,
        dispatch(service, longRunning, replica),
      ),
    )
  }
  app.use(() => {
    throw new Failure('not_found')
  })
  app.use(
    rateLimitRefusedCredentials(throttle),
    recordRefusals(recorder),
    sendFailure,
    createSendLastResort(config.publicUrl),
  )
  return app
}
