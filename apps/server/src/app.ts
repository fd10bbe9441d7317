import express, { type Express } from 'express'
import type { Listener } from './config.ts'
import type { Recorder } from './diagnostics/recorder.ts'
import { createAdmission, letTakeTime } from './http/admission.ts'
import { answerFailure, answerLastResort } from './http/answer-failure.ts'
import { readBody } from './http/body.ts'
import { createByteBudget } from './http/byte-budget.ts'
import { createCallers } from './http/callers.ts'
import { Claims } from './http/claims.ts'
import { normalizeContentType } from './http/content-type.ts'
import { basePathOf } from './http/contract.ts'
import { dispatch } from './http/dispatch.ts'
import { Failure } from './http/failure.ts'
import { readForwarded } from './http/forwarded.ts'
import { health } from './http/health.ts'
import { requireHost } from './http/host.ts'
import type { Identities } from './http/identity.ts'
import { inSequence } from './http/in-sequence.ts'
import { limitDay, limitPartner } from './http/limits.ts'
import { logRequests } from './http/log.ts'
import { deferLongBody, readLongBody } from './http/long-body.ts'
import { noteRefusals } from './http/note-refusals.ts'
import './http/request.ts'
import { limitAddress } from './http/page-limit.ts'
import { exceptOperations, openApiDocuments, pages } from './http/pages.ts'
import { answerPreflight } from './http/preflight.ts'
import { forbidStoring, refuseEarly } from './http/refuse-early.ts'
import { limitRefusedCredentials } from './http/refused-credentials.ts'
import { holdValidBody } from './http/reply.ts'
import { protectAnswers } from './http/security-headers.ts'
import { contractOf } from './http/warm-up.ts'
import type { Service } from './operation.ts'
import type { Quotas } from './partners/usage/quotas.ts'
import { sandboxPages } from './sandbox/pages.ts'

/** A browser that opens the documentation takes 1 MB. */
const ANONYMOUS_BYTES_PER_SECOND = 64 * 1024 * 1024

/** `patient`: for operations that take their time. */
type Parts = {
  service: Service
  patient: Service
  identities: Identities
  isReady: () => Promise<boolean>
  recorder: Recorder
  quotas: Quotas
  listener: Listener
}

/** What one address serves, as a function of what it needs. The order below is the order in which a request is judged. */
export async function createApp({ service, patient, identities, isReady, recorder, quotas, listener }: Parts): Promise<Express> {
  const { config, log } = service
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing')
  app.set('trust proxy', config.trustedProxies)
  const claims = new Claims(service.keys)
  const { rejectIfOverloaded, acquireSlot } = createAdmission({ admission: config.admission, claims })
  const { securityHandlers, identifyByBody } = createCallers(service, identities, claims)
  app.locals['securityHandlers'] = securityHandlers

  const budget = createByteBudget(ANONYMOUS_BYTES_PER_SECOND)
  // The health checks come first: they answer under any load.
  const others = [health(isReady), rejectIfOverloaded, limitAddress(config.anonymousPerSecond), await openApiDocuments(listener, budget)]
  if (listener.hasPages) others.push(await pages(budget))
  if (listener.hasPages && config.environment === 'sandbox') others.push(sandboxPages(service))
  app.use(
    inSequence(
      logRequests(log),
      readForwarded(log),
      protectAnswers,
      requireHost,
      exceptOperations(inSequence(others)),
      forbidStoring,
      rejectIfOverloaded,
      refuseEarly,
      ...(listener.documents.includes('partner') ? [answerPreflight] : []),
      normalizeContentType,
      deferLongBody,
      readBody,
      acquireSlot,
      holdValidBody,
    ),
  )
  const limits = [limitPartner(config), limitDay(quotas)]
  // The partner document owns the root, so it comes last.
  for (const name of (['operator', 'citizen-app', 'partner'] as const).filter((document) => listener.documents.includes(document))) {
    const contract = await contractOf(name, securityHandlers)
    app.use(basePathOf(name) || '/', inSequence(contract, letTakeTime, readLongBody, identifyByBody, limits, dispatch(service, patient)))
  }
  app.use(() => {
    throw new Failure('not_found')
  })
  app.use(limitRefusedCredentials(config), noteRefusals(recorder), answerFailure, answerLastResort)
  return app
}
