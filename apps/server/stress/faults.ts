// What is taken out of the server, one part at a time, and what must follow from it.
import type { CallName } from '../test/kit/disclosing-requests.ts'
import type { Sabotage } from './inject-fault.ts'

/** It does not start, and `refusal` is in the one line that says why. */
type RefusedStart = Sabotage & { what: string; refusal: string }
/** It starts, and these calls must be refused. */
type RefusedCalls = Sabotage & { what: string; refuses: CallName[] }

const CALLERS = 'authentication/security-handlers.ts'
const CONTRACT = 'http/validator.ts'
const BY_HEADERS: CallName[] = ['inquire', 'profileByQr']
const PARTNERS: CallName[] = [...BY_HEADERS, 'generateToken', 'authenticate']
const EVERY: CallName[] = [...PARTNERS, 'listDisclosures', 'listPartners']

const removed = (scheme: string, from: string): RefusedStart => ({
  what: `no handler of the scheme ${scheme}`,
  file: CALLERS,
  from,
  to: from.replace(scheme, 'nobody'),
  refusal: `has a security scheme without a handler: ${scheme}`,
})

const missing = (operationId: string): RefusedStart => ({
  what: `no function for ${operationId}`,
  file: 'operations.ts',
  from: `  ${operationId}: {\n`,
  to: `  ${operationId}Removed: {\n`,
  refusal: `document has an operation without a function: ${operationId}`,
})

/** A handler that lets everybody in, and tells nobody's name. */
const believing = (scheme: string, from: string, refuses: CallName[]): RefusedCalls => ({
  what: `the handler of ${scheme} proves nothing`,
  file: CALLERS,
  from,
  to: `${scheme}: async () => true, nobody: ${from.slice(scheme.length + 2)}`,
  refuses,
})

const unheld = (document: string, refuses: CallName[]): RefusedCalls => ({
  what: `the ${document} document is held against nothing`,
  file: 'app.ts',
  from: 'await contractOf(name, securityHandlers)',
  to: `name === '${document}' ? [] : await contractOf(name, securityHandlers)`,
  refuses,
})

export const REFUSED_STARTS: RefusedStart[] = [
  removed('secretCode', 'secretCode: async (req)'),
  removed('secretToken', 'secretToken: partnerByHeaders'),
  removed('accessToken', 'accessToken: createHandler('),
  removed('citizenToken', 'citizenToken: createHandler('),
  removed('operatorToken', 'operatorToken: createHandler('),
  ...['inquire', 'profileByQr', 'generateToken', 'authenticate'].map(missing),
  {
    what: 'requests are not validated',
    file: CONTRACT,
    from: 'validateRequests: { allErrors: true }',
    to: 'validateRequests: false',
    refusal: 'refuses nothing',
  },
  {
    what: 'the documents ask for no security',
    file: CONTRACT,
    from: 'const document = adaptParameters(withoutRefusals(structuredClone(documents[name])))',
    to: `const document = adaptParameters(withoutRefusals(structuredClone(documents[name])))
         for (const item of Object.values(document.paths)) for (const operation of Object.values(item)) operation.security = []`,
    refusal: 'name different authentication for',
  },
]

export const REFUSED_CALLS: RefusedCalls[] = [
  believing('secretToken', 'secretToken: partnerByHeaders', BY_HEADERS),
  believing('accessToken', 'accessToken: createHandler(', ['authenticate']),
  believing('citizenToken', 'citizenToken: createHandler(', ['listDisclosures']),
  believing('operatorToken', 'operatorToken: createHandler(', ['listPartners']),
  {
    what: 'who sends its secret in the body is not asked for it',
    file: CALLERS,
    from: "if (policyOf(req.openapi?.schema.operationId)?.authentication === 'secret_in_body') await partnerByBody(req, [])",
    to: '',
    refuses: ['generateToken'],
  },
  { what: 'no caller is identified', file: CALLERS, from: 'req.caller = caller', to: '', refuses: EVERY },
  {
    what: 'the validator asks no handler',
    file: CONTRACT,
    from: 'validateSecurity: { handlers: handlers as never }',
    to: 'validateSecurity: false',
    refuses: EVERY.filter((name) => name !== 'generateToken'),
  },
  unheld('partner', PARTNERS),
  unheld('citizen-app', ['listDisclosures']),
  unheld('operator', ['listPartners']),
  { what: 'answers are not validated', file: CONTRACT, from: 'validateResponses: true', to: 'validateResponses: false', refuses: EVERY },
  { what: 'answers are not held back for the commit', file: 'app.ts', from: '      captureValidatedBody,\n', to: '', refuses: EVERY },
]
