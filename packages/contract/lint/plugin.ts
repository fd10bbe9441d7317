// The rules of the linter that neither a rule of Redocly nor an assertion in redocly.yaml can state.
import { basename, dirname } from 'node:path'
import type { UserContext } from '@redocly/openapi-core'
import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { METHODS } from '../bundle.ts'

/** A mapping of a document, or of what should be one. */
export type Node = Readonly<Record<string, unknown>>
type Visit = (node: Node, context: UserContext, parents?: Node) => void
type Rule = () => { [type: string]: Visit | { leave: Visit } | { [type: string]: Visit } }

export const nodeOf = (value: unknown): Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {}
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const resolved = (context: UserContext, value: unknown, from?: string): Node =>
  nodeOf(context.resolve(value as object, from).node)
const typesOf = ({ type }: Node) => (type === undefined ? [] : [type].flat())

/** A part that narrows the schema beside it: a member of `allOf`, a branch of `if`, or a property of one. */
const isNarrowing = (pointer: string) =>
  /\/(allOf\/\d+|if|then|else|not)(\/properties\/[^/]+)*$/.test(pointer)
const isWebhook = ({ location: { source, pointer } }: UserContext) =>
  basename(dirname(source.absoluteRef)) === 'webhooks' || pointer.startsWith('#/webhooks')

/** An object names all its fields. The parts of an `allOf` are closed by one of them, or together. */
const closedBody: Rule = () => ({
  Schema(schema, context) {
    const { location, report } = context
    if (isNarrowing(location.pointer)) return
    const parts = [schema, ...listOf(schema.allOf).map((part) => resolved(context, part))]
    const isObject = parts.some((part) => typesOf(part).includes('object') || part.properties)
    const isMap = Object.keys(nodeOf(schema.additionalProperties)).length > 0
    const closed = parts.find((part) => part.additionalProperties === false)
    if (isObject && !isMap && !closed && schema.unevaluatedProperties !== false)
      report({
        message:
          'The object accepts fields that it does not name. Write additionalProperties: false, beside allOf ' +
          'unevaluatedProperties: false, or a schema of the values if the keys are data.',
        location,
      })
    const refused = parts.flatMap((part) => Object.keys(nodeOf(part.properties)))
    const names = refused.filter((name) => closed && !(name in nodeOf(closed.properties)))
    if (names.length)
      report({
        message: `The closed part of the allOf refuses ${names.join(', ')}. Write it there.`,
        location,
      })
  },
})

/** A field of a response or an event may be absent only if its description says when it is present. */
const requiredField: Rule = () => {
  const check: Visit = (schema, context) => {
    if (isNarrowing(context.location.pointer) || schema.additionalProperties !== false) return
    for (const [name, property] of Object.entries(nodeOf(schema.properties))) {
      const { description } = resolved(context, property)
      if (listOf(schema.required).includes(name) || /(^|\. )Present only/.test(String(description))) continue
      context.report({
        message: `The service can omit \`${name}\`. Write it in required, or "Present only if ..." in its description.`,
        location: context.location.child(['properties', name]).key(),
      })
    }
  }
  return {
    Response: { Schema: check },
    // Redocly visits the schema of an event as a component, and not again below `webhooks`.
    Schema: (schema, context) => {
      if (context.location.source.absoluteRef.endsWith('-event.yaml')) check(schema, context)
    },
  }
}

/** The description is that of the property, of the schema that it refers to, or of one branch. */
const describedField: Rule = () => ({
  SchemaProperties(properties, context) {
    if (isNarrowing(context.location.pointer.replace(/\/properties$/, ''))) return
    for (const [name, property] of Object.entries(properties)) {
      const schema = resolved(context, property)
      const branches = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].map((one) => resolved(context, one))
      if (![schema, ...branches].some((one) => 'const' in one || one.description))
        context.report({
          message: `The field \`${name}\` has no description. Write what it means, its unit, and what null means.`,
          location: context.location.child(name).key(),
        })
    }
  },
})

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, logger: false })
formats.default(ajv, ['date', 'date-time', 'email', 'ipv4', 'ipv6', 'uri', 'uuid'])

/** Keywords with schemas, which are visited themselves, and those of OpenAPI. */
const OTHER_KEYWORDS =
  /^(x-.*|discriminator|example|(additional|unevaluated)?[pP]roperties|items|allOf|anyOf|oneOf|not|if|then|else)$/

/** The validator of a schema without its children; it refuses what Ajv's strict mode does not allow. */
const compile = (schema: Node) =>
  ajv.compile(Object.fromEntries(Object.entries(schema).filter(([keyword]) => !OTHER_KEYWORDS.test(keyword))))

/** Ajv in strict mode: keywords that do not fit the type, patterns that do not compile, wrong defaults. */
const strictSchema: Rule = () => {
  const check = (schema: Node, { location, report }: UserContext, node: Node, key: string) => {
    try {
      const validate = compile(schema)
      if (node[key] !== undefined && !validate(node[key]))
        report({
          message: `The ${key} ${JSON.stringify(node[key])} is not valid: ${ajv.errorsText(validate.errors)}.`,
          location: location.child(key),
        })
    } catch (error) {
      report({ message: (error as Error).message, location })
    }
  }
  return {
    Schema: (schema, context) => check(schema, context, schema, 'default'),
    // Redocly checks the examples of schemas, parameters and bodies only.
    Header: (header, context) => check(resolved(context, header.schema), context, header, 'example'),
  }
}

/** A pattern between anchors. An alternative outside a group would have only one of them: `^a|b$`. */
const wholePattern: Rule = () => ({
  Schema({ pattern }, { location, report }) {
    if (typeof pattern !== 'string') return
    let rest = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, '')
    for (const group = /\([^()]*\)/; group.test(rest);) rest = rest.replace(group, '')
    if (!/^\^[^|]*\$$/.test(rest))
      report({
        message: "Write '^...$', and alternatives in a group: the pattern matches a part of the text.",
        location: location.child('pattern'),
      })
  },
})

const PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const

const schemaLimits: Rule = () => ({
  Schema(schema, { location, report }) {
    const types = typesOf(schema)
    const isNumber = types.includes('integer') || types.includes('number')
    const bounds = isNumber && !('const' in schema) && !('enum' in schema) ? ['minimum', 'maximum'] : []
    for (const bound of bounds.filter((each) => !Number.isSafeInteger(schema[each])))
      report({
        message: `The number has no ${bound} that is a safe integer. Write one, at most 9007199254740991.`,
        location,
      })
    for (const [low, high] of PAIRS)
      if (Number(schema[low]) > Number(schema[high]))
        report({
          message: `${low} is greater than ${high}: no value is valid.`,
          location: location.child(low),
        })
    if (types.includes('array') && !('items' in schema))
      report({ message: 'The array does not say what its items are. Write items.', location })
    if (schema.type === 'null' && !/\/(oneOf|anyOf)\/\d+$/.test(location.pointer))
      report({
        message:
          "type: 'null' does not say which type the field has otherwise. Write type: [string, 'null'].",
        location: location.child('type'),
      })
  },
})

/** Every error is the schema Error, with the status and the codes of this response. */
const errorResponse: Rule = () => ({
  Responses(responses, context) {
    if (isWebhook(context)) return
    for (const [status, value] of Object.entries(responses)) {
      if (!/^[45]/.test(status)) continue
      const { content } = resolved(context, value)
      const parts = listOf(nodeOf(nodeOf(nodeOf(content)['application/json']).schema).allOf)
      const fields = parts.map((part) => nodeOf(nodeOf(part).properties))
      const fixed = fields.map((each) => nodeOf(each.status).const as number).find(Boolean)
      const hasCodes = fields.some(({ error }) => listOf(nodeOf(error).enum).length)
      if (fixed && fixed !== Number(status))
        context.report({
          message: `The response of status ${status} has the status ${fixed} in its body. Refer to one of ${status}.`,
          location: context.location.child(status),
        })
      else if (!fixed || !hasCodes)
        context.report({
          message: `The error ${status} is not application/json with its status and its codes. Add it to spec/sources/error-responses.yaml.`,
          location: context.resolve(value as object).location ?? context.location.child(status),
        })
    }
  },
})

/**
 * An operation is found by its name: in spec/, in the server and in the tests. The operations of one path share a
 * file, because a path item holds operations, not references to them.
 */
const operationFile: Rule = () => ({
  PathItem(item, context) {
    const file = basename(context.location.source.absoluteRef)
    const [[method, operation] = [], ...others] = METHODS.flatMap((each) =>
      item[each] === undefined ? [] : [[each, nodeOf(item[each])] as const],
    )
    const operationId = operation?.operationId
    if (typeof operationId !== 'string' || others.length || file === 'openapi.yaml') return
    const name = isWebhook(context) ? operationId.replace(/^on/, '') : operationId
    const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^-/, '')
    if (file !== `${kebab}.yaml`)
      context.report({
        message: `The operation ${operationId} is in ${file}. Write it in ${kebab}.yaml, or change its operationId.`,
        location: context.location.child([method!, 'operationId']),
      })
  },
})

/** ``the response is `409` `` and `` `429 slow_down` ``: of what another server answers, a text says it otherwise. */
const NAMED_STATUS = /(?:response is\s+`([45]\d\d)`|`([45]\d\d)\s+([a-z_]+)`)/g

/** A text of an operation, or of a part of it, names only responses that the operation has. */
const namedStatus: Rule = () => {
  const check = ({ description }: Node, operation: Node, context: UserContext) => {
    const from = (context.parentLocations.Operation ?? context.location).source.absoluteRef
    for (const [text, plain, coded, code] of String(description).matchAll(NAMED_STATUS)) {
      const status = plain ?? coded!
      const { content } = resolved(context, nodeOf(operation.responses)[status], from)
      const parts = listOf(nodeOf(nodeOf(nodeOf(content)['application/json']).schema).allOf)
      const codes = parts.flatMap((part) => listOf(nodeOf(nodeOf(nodeOf(part).properties).error).enum))
      if (content === undefined || (code && !codes.includes(code)))
        context.report({
          message: `The text names ${text.replace('response is ', '')}, which ${String(operation.operationId)} does not answer.`,
          location: context.location.child('description'),
        })
    }
  }
  const ofPart: Visit = (part, context, parents) => check(part, nodeOf(parents?.Operation), context)
  return {
    Operation: {
      enter: (operation, context) => check(operation, operation, context),
      Parameter: ofPart,
      Response: ofPart,
      Header: ofPart,
    },
  }
}

/** What a document uses from the shared folders is listed in its components, once, and the other way round. */
const components: Rule = () => {
  const listed = new Map<string, UserContext['location']>()
  const used = new Set<string>()
  return {
    ref(reference, { location, report, resolve }) {
      const place = resolve(reference as object).location?.absolutePointer
      if (!place) return
      const isEntry = /openapi\.yaml#\/components\/\w+\/\w+$/.test(location.absolutePointer)
      if (isEntry && listed.has(place))
        report({ message: 'The component has two names. Write one.', location: location.key() })
      if (isEntry) listed.set(place, location)
      else used.add(place)
    },
    Root: {
      leave(_, { report, location: document }) {
        for (const [place, location] of listed)
          if (!used.has(place))
            report({
              message: `Nothing uses the component ${basename(location.pointer)}. Refer to it, or remove it here.`,
              location: location.key(),
            })
        for (const place of used) {
          const [, file] = /\/((?:schemas|parameters)\/[\w-]+\.yaml)$/.exec(place) ?? []
          if (file && !listed.has(place))
            report({
              message: `The document uses ${file}. List it here, so that its type has a name.`,
              location: document.child('components').key(),
            })
        }
      },
    },
  }
}

/** A path file refers to shared files through its document, so that the generated type has a name. */
const references: Rule = () => ({
  ref(reference, { location, report }) {
    const others = Object.keys(reference).filter((key) => key !== '$ref')
    const isPathFile = /^(paths|webhooks)$/.test(basename(dirname(location.source.absoluteRef)))
    if (others.length)
      report({
        message: `${others.join(', ')} stands beside $ref: tools ignore it. Write allOf with the $ref and the rest.`,
        location: location.child(others[0]!).key(),
      })
    if (isPathFile && !/openapi\.yaml#|\/examples\//.test(String(reference.$ref)))
      report({
        message: `${String(reference.$ref)} does not go through the document. Write ../openapi.yaml#/components/...`,
        location: location.child('$ref'),
      })
  },
})

/** The extensions of ours, by the type of the object. Programs ignore every other one, also a misspelt one. */
const DEPRECATION = ['x-deprecated-at', 'x-sunset', 'x-replaced-by']
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  MediaType: ['x-max-bytes', 'x-item-schema'],
  Operation: DEPRECATION,
  Parameter: DEPRECATION,
  Header: DEPRECATION,
  Schema: DEPRECATION,
}

/** The server reads a longer body than others as lines only, at a path without parameters (contract/documents.ts). */
const longBody: Rule = () => {
  let path = ''
  return {
    PathItem(_, { key }) {
      path = String(key)
    },
    MediaType(media, context) {
      const { key, location, report } = context
      const isRequest = location.pointer.includes('/requestBody/') && !isWebhook(context)
      const isRead = isRequest && key === 'application/x-ndjson' && !path.includes('{')
      if (media['x-max-bytes'] !== undefined && !isRead)
        report({
          message:
            'The server ignores x-max-bytes here. It reads it in a request of application/x-ndjson, at a path without parameters.',
          location: location.child('x-max-bytes').key(),
        })
    },
  }
}

const extension: Rule = () => ({
  any(node, { type, location, report }) {
    const known = EXTENSIONS[type.name] ?? []
    for (const name of Object.keys(nodeOf(node)))
      if (name.startsWith('x-') && !known.includes(name))
        report({
          message: `No program reads ${name} here. Known: ${[...new Set(Object.values(EXTENSIONS).flat())].join(', ')}.`,
          location: location.child(name).key(),
        })
  },
})

const CAPITALS = /^[A-Z][A-Z0-9_]*$/
const SMALL_LETTERS = /^[a-z][a-z0-9_.]*$/
/** Fields whose values are in capitals, as those of the customer's text are. */
const IN_CAPITALS = /^(?:state|status|scope|way)(?:e?s)?$/
/** Fields whose values a registry of IANA spells (RFC 7517). */
const REGISTERED = new Set(['kty', 'crv', 'alg', 'id_token_signed_response_alg'])

/** States and the like are in capitals, every other name is in small letters. */
const enumCase: Rule = () => {
  /** The values of a schema and of its items. */
  const valuesOf = (context: UserContext, schema: unknown, from?: string): readonly unknown[] => {
    const { node, location } = context.resolve(schema as object, from)
    const { enum: values, items } = nodeOf(node)
    return [...listOf(values), ...(items ? valuesOf(context, items, location?.source.absoluteRef) : [])]
  }
  const check = (name: string, schema: unknown, context: UserContext, location: UserContext['location']) => {
    if (REGISTERED.has(name)) return
    const [pattern, letters] = IN_CAPITALS.test(name)
      ? [CAPITALS, 'capitals']
      : [SMALL_LETTERS, 'small letters']
    const wrong = valuesOf(context, schema).find((value) => typeof value === 'string' && !pattern.test(value))
    if (wrong !== undefined)
      context.report({
        message: `Write the value ${JSON.stringify(wrong)} of \`${name}\` in ${letters}, with _ between words.`,
        location,
      })
  }
  return {
    SchemaProperties(properties, context) {
      for (const [name, property] of Object.entries(properties))
        check(name, property, context, context.location.child(name).key())
    },
    Parameter: (parameter, context) =>
      check(String(parameter.name), parameter.schema, context, context.location.child('schema').key()),
  }
}

const isDate = ajv.compile<string>({ type: 'string', format: 'date' })

/** The dates of a deprecation, of which the server makes headers. redocly.yaml says which fields it has. */
const deprecation: Rule = () => ({
  any(node, { location, report }) {
    const { 'x-deprecated-at': from = '0001-01-01', 'x-sunset': to = '9999-12-31' } = nodeOf(node)
    const wrong = !isDate(from) ? 'x-deprecated-at' : !isDate(to) || to <= from ? 'x-sunset' : undefined
    if (wrong)
      report({
        message: `Write ${wrong} as a date, such as 2027-01-31. The sunset is later than the deprecation.`,
        location: location.child(wrong),
      })
  },
})

export const rules: Readonly<Record<string, Rule>> = {
  'closed-body': closedBody,
  'required-field': requiredField,
  'described-field': describedField,
  'strict-schema': strictSchema,
  'whole-pattern': wholePattern,
  'schema-limits': schemaLimits,
  'error-response': errorResponse,
  'operation-file': operationFile,
  'named-status': namedStatus,
  components,
  references,
  'long-body': longBody,
  extension,
  'enum-case': enumCase,
  deprecation,
}

/** Redocly calls the default export of a plugin. `extends: tiwala/all` turns every rule on. */
export default function tiwala() {
  const names = Object.keys(rules).map((name) => `tiwala/${name}`)
  return {
    id: 'tiwala',
    rules: { oas3: rules },
    configs: { all: { rules: Object.fromEntries(names.map((name) => [name, 'error'])) } },
    typeExtension: {
      // The limit of a body; the schema of each event of a stream and of each line of a body, which OpenAPI 3.1
      // cannot state.
      oas3: (types: Record<string, { properties: object }>) => ({
        ...types,
        MediaType: {
          ...types.MediaType,
          properties: {
            ...types.MediaType!.properties,
            'x-max-bytes': { type: 'integer', minimum: 1 },
            'x-item-schema': 'Schema',
          },
        },
      }),
    },
  }
}
