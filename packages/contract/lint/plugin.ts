import { closedBody, possibleAllOf, requiredExists, requiredField } from './rules/closed-bodies.ts'
import { listedComponents, usedComponent } from './rules/components.ts'
import { exampleMatches } from './rules/examples.ts'
import { fieldName, headerName, operationFile } from './rules/names.ts'
import { noNullable, oneKindOfExample } from './rules/openapi-3-0.ts'
import { knownMediaType, pathParameter, requestBody, statuses } from './rules/operations.ts'
import { referenceAlone, supportedKeywords } from './rules/references.ts'
import * as responses from './rules/responses.ts'
import * as schemas from './rules/schemas.ts'
import { knownScope, usedTag } from './rules/tags-and-scopes.ts'
import { described, plainWords } from './rules/texts.ts'
import { possibleValues, typedValue } from './rules/values.ts'

/** The rules by name. */
export const rules = {
  'bounded-number': schemas.boundedNumber,
  'closed-body': closedBody,
  described,
  'error-response': responses.errorResponse,
  'example-matches': exampleMatches,
  'field-name': fieldName,
  'header-name': headerName,
  'keyword-of-type': schemas.keywordOfType,
  'known-format': schemas.knownFormat,
  'known-media-type': knownMediaType,
  'known-scope': knownScope,
  'known-type': schemas.knownType,
  'listed-components': listedComponents,
  'no-nullable': noNullable,
  'one-kind-of-example': oneKindOfExample,
  'operation-file': operationFile,
  'path-parameter': pathParameter,
  'plain-words': plainWords,
  'possible-all-of': possibleAllOf,
  'possible-bounds': schemas.possibleBounds,
  'possible-values': possibleValues,
  'reference-alone': referenceAlone,
  'request-body': requestBody,
  'required-exists': requiredExists,
  'required-field': requiredField,
  'response-body': responses.responseBody,
  'response-example': responses.responseExample,
  'response-headers': responses.responseHeaders,
  statuses,
  'supported-keywords': supportedKeywords,
  'typed-value': typedValue,
  'used-component': usedComponent,
  'used-tag': usedTag,
  'valid-pattern': schemas.validPattern,
  'webhook-response': responses.webhookResponse,
}

/** Redocly calls the default export of a plugin. `extends: tiwala/all` turns every rule on. */
export default function tiwala() {
  const names = Object.keys(rules).map((name) => `tiwala/${name}`)
  return {
    id: 'tiwala',
    rules: { oas3: rules },
    configs: { all: { rules: Object.fromEntries(names.map((name) => [name, 'error'])) } },
  }
}
