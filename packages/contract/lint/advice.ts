/** What goes wrong and what to write, for the rules that come with Redocly. */
const ADVICE: Readonly<Record<string, readonly [why: string, write: string]>> = {
  struct: [
    'Tools ignore what they do not know here, or fail at it.',
    'the name, type and place that OpenAPI 3.1 gives it; check the spelling and the indentation.',
  ],
  'no-enum-type-mismatch': ['No value is valid.', 'values of the type.'],
  'no-schema-type-mismatch': [
    'A validator ignores keywords of another type, so the limit does not apply.',
    'the type that has the keyword.',
  ],
  'no-identical-paths': ['The router takes the first, so the second is never reached.', 'another path.'],
  'no-ambiguous-paths': ['The router takes the first, so the second may never be reached.', 'another path.'],
  'no-path-trailing-slash': [
    'Paths are literal: the request without the slash is a 404.',
    'the path without it.',
  ],
  'operation-4xx-response': ['Every operation can reject a request.', "at least '400' and '422'."],
  'operation-2xx-response': ['Clients have no type for a success.', "'200' with a schema and an example."],
  'operation-operationId': ['Routes, types and tests use it as the key.', 'operationId, in camelCase.'],
  'operation-operationId-unique': ['Routes, types and tests use it as the key.', 'another operationId.'],
  'operation-parameters-unique': ['The second replaces the first.', 'another name, or remove one of them.'],
  'operation-singular-tag': ['The documentation would show the operation twice.', 'exactly one tag.'],
  'operation-summary': ['The list of operations shows it.', 'summary: a short imperative phrase.'],
  'operation-tag-defined': [
    'The documentation has no place for the operation.',
    'a tag of the list in openapi.yaml, or add it to the list with a description.',
  ],
  'path-parameters-defined': [
    'The server cannot pass the part of the path to the operation.',
    'the same names in the path and in the parameters with in: path.',
  ],
  'security-defined': [
    'The server does not know how to authenticate, so it would accept or refuse every request.',
    'security with a scheme of components.securitySchemes; [] for an operation without credentials.',
  ],
  'tag-description': ['The documentation shows it.', 'description: one short sentence.'],
}

/** Keywords whose values had another type in OpenAPI 3.0, or that are often misplaced. */
const ADVICE_ON_KEYWORD: Readonly<Record<string, readonly [why: string, write: string]>> = {
  exclusiveMinimum: [
    'A boolean is the form of OpenAPI 3.0. In 3.1 the keyword is the limit itself.',
    'exclusiveMinimum: and the number, without minimum.',
  ],
  exclusiveMaximum: [
    'A boolean is the form of OpenAPI 3.0. In 3.1 the keyword is the limit itself.',
    'exclusiveMaximum: and the number, without maximum.',
  ],
  required: [
    'A field is required by the object that has it.',
    'required: [name, ...] in the object; required: true only in parameters, headers and bodies.',
  ],
  examples: [
    'In a schema examples are a list; beside a schema they are a map of Example objects.',
    'examples: [value] in a schema, example: value beside it.',
  ],
}

const DEFAULT = ['Readers and tools expect something else.', 'what the message names.'] as const

export const isRuleOfRedocly = (rule: string) => rule in ADVICE

export function adviceFor(rule: string, pointer: string): readonly [why: string, write: string] {
  const keyword = pointer.split('/').at(-1)!
  return (rule === 'struct' ? ADVICE_ON_KEYWORD[keyword] : undefined) ?? ADVICE[rule] ?? DEFAULT
}
