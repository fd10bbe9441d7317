import express, { type Express } from 'express'
import helmet from 'helmet'
import type { Recorder } from './diagnostics/recorder.ts'
import { answerFailure, answerLastResort } from './http/answer-failure.ts'
import { readBody } from './http/body.ts'
import { createCallers } from './http/callers.ts'
import { normalizeContentType } from './http/content-type.ts'
import { basePathOf } from './http/contract.ts'
import { dispatch } from './http/dispatch.ts'
import { Failure } from './http/failure.ts'
import { health } from './http/health.ts'
import { AddressLimit, limitDay, limitPartner } from './http/limits.ts'
import { logRequests } from './http/log.ts'
import { deferLongBody, readLongBody } from './http/long-body.ts'
import { noteRefusals } from './http/note-refusals.ts'
import './http/request.ts'
import { pages } from './http/pages.ts'
import {
  forbidStoring,
  refuseOtherThanOurTypes,
  refuseRepeatedCredentials,
  refuseTrailingSlash,
  refuseWithoutHost,
} from './http/refuse-early.ts'
import { holdValidBody } from './http/reply.ts'
import { contractOf } from './http/warm-up.ts'
import type { Service } from './operation.ts'
import type { Quotas } from './partners/usage/quotas.ts'
import { sandboxPages } from './sandbox/pages.ts'

/** The server as a function of what it needs. The order below is the order in which a request is judged. */
export async function createApp(service: Service, isDraining: () => boolean, recorder: Recorder, quotas: Quotas): Promise<Express> {
  const { config, log } = service
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing')
  app.set('trust proxy', config.trustedProxies)
  const addresses = new AddressLimit(config)
  const { securityHandlers, identifyByBody } = createCallers(service)
  app.locals['securityHandlers'] = securityHandlers

  app.use(logRequests(log), noteRefusals(recorder))
  app.use(helmet(), refuseWithoutHost)
  app.use(health(service, isDraining))
  app.use(pages(service))
  if (config.environment === 'sandbox') app.use(sandboxPages(service))
  app.use(
    forbidStoring,
    refuseTrailingSlash,
    refuseOtherThanOurTypes,
    refuseRepeatedCredentials,
    addresses.guard,
    normalizeContentType,
    deferLongBody,
    readBody,
  )
  app.use(holdValidBody)
  // The partner document owns the root, so it comes last.
  for (const name of (['operator', 'citizen-app', 'partner'] as const).filter((document) => config.documents.includes(document))) {
    const contract = await contractOf(name, securityHandlers)
    app.use(basePathOf(name) || '/', contract, readLongBody, identifyByBody, limitPartner(config), limitDay(quotas), dispatch(service))
  }
  app.use(() => {
    throw new Failure('not_found')
  })
  app.use(addresses.note, answerFailure, answerLastResort)
  return app
}
