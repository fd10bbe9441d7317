// `tiwala diagnose`: says in words why a request was refused, or which refusals a partner got.
import type { Schemas, Success } from '@tiwala/contract'
import type { OperatorTransport } from './connect.ts'
import { createTableFormatter } from './format-output.ts'
import { type Io, print, printMessage } from './io.ts'
import { createRowPrinter, type Output, printResult } from './print-value.ts'

/** So many of the newest refusals are counted. */
const NEWEST = 100

export const isRequestId = (subject: string): boolean => subject.startsWith('req_')

export async function diagnose(
  io: Io,
  call: OperatorTransport,
  subject: string,
  output: Output,
): Promise<void> {
  if (isRequestId(subject)) {
    const { body } = await call('readPartnerRequest', { path: { request_id: subject } })
    return printResult(io, output, body, describe(body))
  }
  const { body } = await call('listPartnerRequests', {
    path: { partner_code: subject },
    query: { failed: true, limit: NEWEST },
  })
  const rows = countByCode(body.requests)
  if (output !== 'table') return createRowPrinter(io, output, COLUMNS)(rows)
  if (rows.length === 0) return printMessage(io, `The service has refused no request of ${subject}.`)
  await print(io.stdout, createTableFormatter(COLUMNS, io)(rows))
  const range = body.next_cursor ? `These are the newest ${NEWEST} refusals. ` : ''
  printMessage(io, `${range}To see which check failed: tiwala diagnose ${rows[0]!.newest_request}`)
}

const WORDS = { passed: 'passed', failed: 'failed', not_reached: 'not reached' } as const

function describe({ partner_code, request, diagnosis, help_url }: Success<'readPartnerRequest'>): string {
  const { request_id, received_at, method, operation, status, error, address } = request
  const name = operation ?? `A ${method} request to an unknown path`
  const result = error
    ? `was refused with ${status} ${error}`
    : status < 400
      ? `succeeded with ${status}`
      : `ended with ${status}`
  const failed = diagnosis?.checks.find(({ outcome }) => outcome === 'failed')
  const why = failed && `The check ${failed.check} failed${failed.detail ? `: ${failed.detail}` : ''}.`
  const unknown = error && !diagnosis && 'There is no diagnosis of this request yet, or it was deleted.'
  return [
    `${name} ${result}.`,
    ...(why ? [why] : []),
    ...(unknown ? [unknown] : []),
    '',
    ...(diagnosis?.checks.map(({ check, outcome }) => `  ${WORDS[outcome].padEnd(12)} ${check}`) ?? []),
    ...(diagnosis ? [''] : []),
    `Partner  ${partner_code}`,
    `Request  ${request_id}, ${received_at}, from ${address ?? 'an unknown address'}`,
    ...(help_url ? [`Help     ${help_url}`] : []),
    '',
  ].join('\n')
}

const COLUMNS = ['error', 'requests', 'operations', 'newest', 'newest_request']

/** One row for each code, the most frequent one first. The requests are the newest first. */
const countByCode = (requests: Schemas['PartnerRequest'][]) =>
  [...Map.groupBy(requests, ({ error, status }) => error ?? String(status))]
    .map(([error, own]) => ({
      error,
      requests: own.length,
      operations: [...new Set(own.map(({ operation }) => operation ?? 'unknown'))],
      newest: own[0]!.received_at,
      newest_request: own[0]!.request_id,
    }))
    .toSorted((a, b) => b.requests - a.requests)
