// The faults that the stress tests inject into the server, one at a time.
import type { OperationName } from '../test/kit/disclosing-requests.ts'
import type { Fault } from './inject-fault.ts'

/** The server does not start, or only a live one. `refusal` is a part of its error line. */
type RefusedStart = Fault & { what: string; refusal: string; isOnlyLive?: boolean }
/** The server starts, and refuses these requests. */
type RefusedRequests = Fault & { what: string; refuses: OperationName[] }

const SECURITY_HANDLERS = 'authentication/security-handlers.ts'
const VALIDATOR = 'http/pipeline/validator.ts'
const BY_HEADERS: OperationName[] = ['inquire', 'profileByQr']
const PARTNERS: OperationName[] = [...BY_HEADERS, 'generateToken', 'authenticate']
const EVERY: OperationName[] = [...PARTNERS, 'listDisclosures', 'listPartners']

const withoutHandler = (scheme: string, from: string): RefusedStart => ({
  what: `no handler for the scheme ${scheme}`,
  file: SECURITY_HANDLERS,
  from,
  to: from.replace(scheme, 'unused'),
  refusal: `has a security scheme without a handler: ${scheme}`,
})

const withoutOperation = (operationId: string): RefusedStart => ({
  what: `no function for ${operationId}`,
  file: 'operations.ts',
  from: `  ${operationId}: `,
  to: `  ${operationId}Removed: `,
  refusal: `document has an operation without a function: ${operationId}`,
})

/** A handler that accepts every caller without identifying it. */
const withoutAuthentication = (scheme: string, from: string, refuses: OperationName[]): RefusedRequests => ({
  what: `the handler of ${scheme} authenticates no caller`,
  file: SECURITY_HANDLERS,
  from,
  to: `${scheme}: async () => true, unused: ${from.slice(scheme.length + 2)}`,
  refuses,
})

const withoutValidation = (document: string, refuses: OperationName[]): RefusedRequests => ({
  what: `the ${document} document is not validated`,
  file: 'app.ts',
  from: 'await contractOf(name, ',
  to: `name === '${document}' ? [] : await contractOf(name, `,
  refuses,
})

export const REFUSED_STARTS: RefusedStart[] = [
  withoutHandler('secretCode', 'secretCode: async (req)'),
  withoutHandler('secretToken', 'secretToken: createHandler('),
  withoutHandler('accessToken', 'accessToken: createHandler('),
  withoutHandler('citizenToken', 'citizenToken: createHandler('),
  withoutHandler('operatorToken', 'operatorToken: createHandler('),
  ...['inquire', 'profileByQr', 'generateToken', 'authenticate'].map(withoutOperation),
  {
    what: 'requests are not validated',
    file: VALIDATOR,
    from: 'validateRequests: { allErrors: true }',
    to: 'validateRequests: false',
    refusal: 'refuses nothing',
    isOnlyLive: true,
  },
  {
    what: 'the documents require no security',
    file: VALIDATOR,
    from: 'for (const scheme of Object.keys(document.components.securitySchemes)) {',
    to: `for (const item of Object.values(document.paths))
           for (const operation of Object.values(item)) operation.security = []
         for (const scheme of Object.keys(document.components.securitySchemes)) {`,
    refusal: 'name different authentication for',
  },
]

export const REFUSED_REQUESTS: RefusedRequests[] = [
  withoutAuthentication('secretToken', 'secretToken: createHandler(', BY_HEADERS),
  withoutAuthentication('accessToken', 'accessToken: createHandler(', ['authenticate']),
  withoutAuthentication('citizenToken', 'citizenToken: createHandler(', ['listDisclosures']),
  withoutAuthentication('operatorToken', 'operatorToken: createHandler(', ['listPartners']),
  {
    what: 'a secret in the body is not checked',
    file: SECURITY_HANDLERS,
    from: "=== 'secret_in_body'",
    to: "=== 'none'",
    refuses: ['generateToken'],
  },
  {
    what: 'no caller is identified',
    file: SECURITY_HANDLERS,
    from: 'Object.assign(req.exchange, { caller, ',
    to: 'Object.assign(req.exchange, { ',
    refuses: EVERY,
  },
  {
    what: 'the validator calls no security handler',
    file: VALIDATOR,
    from: 'validateSecurity: { handlers: handlers as never }',
    to: 'validateSecurity: false',
    refuses: EVERY.filter((name) => name !== 'generateToken'),
  },
  withoutValidation('partner', PARTNERS),
  withoutValidation('citizen-app', ['listDisclosures']),
  withoutValidation('operator', ['listPartners']),
  {
    what: 'responses are not validated',
    file: VALIDATOR,
    from: 'validateResponses: true',
    to: 'validateResponses: false',
    refuses: EVERY,
  },
  {
    what: 'responses are not held back for the commit',
    file: 'app.ts',
    from: '      captureValidatedBody,\n',
    to: '',
    refuses: EVERY,
  },
]

/** A pause between the read and the write. */
const PAUSE = '(select count(*) from pg_sleep(0.1)) = 1'
const QR = 'where hmac = any(${qrHmacs}) and (select is_current from access)'

/**
 * Faults that make a statement read without a lock, and then write, in the order of `SINGLE_USE_KINDS`. For codes and QR
 * values, a unique key still prevents the second token or record: there the callers get an error.
 */
export const READ_THEN_WRITE_FAULTS: Fault[] = [
  {
    file: 'sso/generate-token/generate-token.sql.ts',
    from: 'order by x.id for update of x',
    to: `and ${PAUSE} order by x.id`,
  },
  {
    file: 'sso/authenticate/authenticate.sql.ts',
    from: 'order by t.id for update of t',
    to: `where ${PAUSE} order by t.id`,
  },
  {
    file: 'authorizations/request-authorization/request-authorization.sql.ts',
    from: `${QR} for update`,
    to: `${QR} and ${PAUSE}`,
  },
]
