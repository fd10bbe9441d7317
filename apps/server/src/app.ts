import express, { type Express } from 'express'
import helmet from 'helmet'
import { answerFailure, answerLastResort } from './http/answer-failure.ts'
import { readBody } from './http/body.ts'
import { createCallers } from './http/callers.ts'
import { normalizeContentType } from './http/content-type.ts'
import { basePathOf, holdToContract } from './http/contract.ts'
import { dispatch } from './http/dispatch.ts'
import { Failure } from './http/failure.ts'
import { health } from './http/health.ts'
import { AddressLimit, limitPartner } from './http/limits.ts'
import { logRequests } from './http/log.ts'
import { pages } from './http/pages.ts'
import './http/request.ts'
import {
  forbidStoring,
  refuseOtherThanJson,
  refuseRepeatedCredentials,
  refuseTrailingSlash,
  refuseWithoutHost,
} from './http/refuse-early.ts'
import { holdValidBody } from './http/reply.ts'
import { warmUp } from './http/warm-up.ts'
import type { Service } from './operation.ts'
import { sandboxPages } from './sandbox/pages.ts'

/** The server as a function of what it needs. The order below is the order in which a request is judged. */
export async function createApp(service: Service, isDraining: () => boolean): Promise<Express> {
  const { config, log } = service
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing')
  app.set('trust proxy', config.trustedProxies)
  const addresses = new AddressLimit(config)
  const { securityHandlers, identifyByBody } = createCallers(service)

  app.use(logRequests(log))
  app.use(helmet(), refuseWithoutHost)
  app.use(health(service, isDraining))
  app.use(pages(service))
  if (config.environment === 'sandbox') app.use(sandboxPages(service))
  app.use(
    forbidStoring,
    refuseTrailingSlash,
    refuseOtherThanJson,
    refuseRepeatedCredentials,
    addresses.guard,
    normalizeContentType,
    readBody,
  )
  app.use(holdValidBody)
  // The partner document owns the root, so it comes last.
  for (const name of (['operator', 'citizen-app', 'partner'] as const).filter((document) => config.documents.includes(document))) {
    const contract = holdToContract(name, securityHandlers)
    await warmUp(name, contract)
    app.use(basePathOf(name) || '/', contract, identifyByBody, limitPartner(config), dispatch(service))
  }
  app.use(() => {
    throw new Failure('not_found')
  })
  app.use(addresses.note, answerFailure, answerLastResort)
  return app
}
