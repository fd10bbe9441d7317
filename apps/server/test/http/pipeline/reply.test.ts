// The order in which a successful response is validated, committed and sent.
import type { OperationId } from '@tiwala/contract'
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import type { Database } from '../../../src/database/connect.ts'
import { captureValidatedBody, send, validateBody } from '../../../src/http/pipeline/reply.ts'
import type { BodyReply } from '../../../src/operation.ts'

const BODY = { status: 200, message: 'OK' }

type Situation = {
  isDestroyed?: boolean
  isInvalid?: boolean
  isUnvalidated?: boolean
  isUncaptured?: boolean
  isSentBefore?: boolean
  isSentMeanwhile?: boolean
  isRefused?: boolean
}

/** Sends a reply in this situation; returns what happened, in its order. */
async function sendIn(situation: Situation): Promise<string[]> {
  const steps: string[] = []
  const res = {
    locals: {},
    headersSent: situation.isSentBefore ?? false,
    json: () => res,
    setHeader: (name: string) => steps.push(name),
    end: (text: string) => steps.push(`sent ${text}`),
  }
  if (!situation.isUncaptured) captureValidatedBody({} as Request, res as unknown as Response, () => {})
  const capture = res.json as (body: unknown) => unknown
  // The validator passes a valid body to the function that it has replaced.
  if (!situation.isUnvalidated)
    Object.assign(res, { json: (body: unknown) => (situation.isInvalid ? res : capture(body)) })
  const commit = async () => {
    await Promise.resolve()
    if (situation.isRefused) throw new Error('refused')
    steps.push('committed')
    res.headersSent ||= situation.isSentMeanwhile ?? false
  }
  const req = { headers: {}, socket: { destroyed: situation.isDestroyed ?? false } }
  const reply = { status: 200, body: BODY, headers: { 'X-State': 'DONE' }, commit }
  const sending = send(
    req as unknown as Request,
    res as unknown as Response,
    reply as unknown as BodyReply<OperationId>,
    {} as Database,
  )
  await sending.catch((error: Error) => steps.push(error.message))
  return steps
}

test.each<{ what: string; situation: Situation; steps: string[] }>([
  {
    what: 'commits before it sets the headers of the success and sends the body',
    situation: {},
    steps: ['Content-Type', 'committed', 'X-State', `sent ${JSON.stringify(BODY)}`],
  },
  {
    what: 'commits nothing if the client has gone',
    situation: { isDestroyed: true },
    steps: ['Content-Type'],
  },
  {
    what: 'commits nothing if the body is not valid',
    situation: { isInvalid: true },
    steps: ['Content-Type'],
  },
  { what: 'commits nothing after 503 was sent', situation: { isSentBefore: true }, steps: [] },
  {
    what: 'sends nothing if 503 was sent during the commit',
    situation: { isSentMeanwhile: true },
    steps: ['Content-Type', 'committed'],
  },
  {
    what: 'sets no header of the success if the commit refuses',
    situation: { isRefused: true },
    steps: ['Content-Type', 'refused'],
  },
  {
    what: 'sends nothing without a validator',
    situation: { isUnvalidated: true },
    steps: ['Response validation middleware is missing.'],
  },
  {
    what: 'sends nothing if nothing captures the validated body',
    situation: { isUncaptured: true },
    steps: ['Response validation middleware is missing.'],
  },
])('$what', async ({ situation, steps }) => {
  expect(await sendIn(situation)).toEqual(steps)
})

test('the validator does not see the type of the request body, for which it would compile the responses again', () => {
  const req = { headers: { 'content-type': 'multipart/form-data' } }
  const seen: unknown[] = []
  const json = () => seen.push(req.headers['content-type'])
  validateBody(req as unknown as Request, { json } as unknown as Response, BODY)
  expect([...seen, req.headers['content-type']]).toEqual([undefined, 'multipart/form-data'])
})
