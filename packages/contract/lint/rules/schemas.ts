// Rules about the types, formats, patterns and limits of schemas.
import { closest, isNode, type Node, rule, shown, typesOf } from '../rule.ts'

/** The formats that the server and the clients check. */
const FORMATS = ['date', 'date-time', 'email', 'ipv4', 'ipv6', 'uri', 'uuid']
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const TYPE_ALIASES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  date: 'string, with format: date',
  datetime: 'string, with format: date-time',
  double: 'number',
  file: 'string',
  float: 'number',
  int: 'integer',
  long: 'integer',
  str: 'string',
  text: 'string',
  uuid: 'string, with format: uuid',
}
/** The keywords that act on one type only. */
const KEYWORDS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}
const PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

const SAYS_TYPE = ['type', 'const', 'enum', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'properties']

export const knownType = rule(
  'Without a known type, every value is valid or none, depending on the tool.',
  (report) => ({
    Schema(schema, context) {
      if (!SAYS_TYPE.some((keyword) => keyword in schema))
        report(context, { what: 'The schema has no type.', write: `type: one of ${TYPES.join(', ')}.` })
      for (const type of typesOf(schema).filter((name) => !TYPES.includes(name as string))) {
        const name = String(type)
        const instead = type === null ? "'null', in quotes" : (TYPE_ALIASES[name] ?? closest(name, TYPES))
        report(context, {
          what: type === null ? 'type is null, the absence of a value.' : `There is no type "${name}".`,
          write: `type: ${instead ?? `one of ${TYPES.join(', ')}`}.`,
          at: context.location.child('type'),
        })
      }
    },
  }),
)

/** Whether `knownType` has nothing to report, so that other rules can rely on the types. */
export const hasKnownTypes = (schema: Node) => typesOf(schema).every((type) => TYPES.includes(type as string))

export const knownFormat = rule(
  'Validators ignore a format that they do not know, so any text passes.',
  (report) => ({
    Schema({ format }, context) {
      if (format === undefined || FORMATS.includes(format as string)) return
      const near = closest(shown(format), FORMATS)
      report(context, {
        what: `The format "${shown(format)}" is not a known one.`,
        write: near ? `format: ${near}.` : `one of ${FORMATS.join(', ')}, or a pattern.`,
        at: context.location.child('format'),
      })
    },
  }),
)

export const validPattern = rule(
  'Validators compile a pattern as ECMA-262 with the flag `u` and search it anywhere in the text.',
  (report) => ({
    Schema({ pattern }, context) {
      if (typeof pattern !== 'string') return
      const at = context.location.child('pattern')
      try {
        void new RegExp(pattern, 'u')
      } catch (error) {
        report(context, {
          what: `The pattern does not compile: ${(error as Error).message}`,
          write: 'ECMA-262 syntax: no (?i), \\A, \\z or \\h; escape only special characters.',
          at,
        })
        return
      }
      if (/^\^[^]*\$$/.test(pattern)) return
      report(context, {
        what: `The pattern ${pattern} matches a part of the text, so more than intended is valid.`,
        write: `'^${pattern.replace(/^\^|\$$/g, '')}$': the pattern of the whole text.`,
        at,
      })
    },
  }),
)

export const boundedNumber = rule(
  'A larger integer loses digits in JavaScript and overflows in the database.',
  (report) => ({
    Schema(schema, context) {
      if (!typesOf(schema).some((type) => type === 'integer' || type === 'number')) return
      if ('const' in schema || 'enum' in schema) return
      const missing = ['minimum', 'maximum'].filter((bound) => !Number.isSafeInteger(schema[bound]))
      if (missing.length)
        report(context, {
          what: `The number has no ${missing.join(' and no ')} that is a safe integer.`,
          write: 'minimum and maximum, at most 9007199254740991 (2^53 - 1).',
        })
    },
  }),
)

export const possibleBounds = rule('No value is valid, so every request or response fails.', (report) => ({
  Schema(schema, context) {
    for (const [low, high] of PAIRS)
      if (Number(schema[low]) > Number(schema[high]))
        report(context, {
          what: `${low} ${String(schema[low])} is greater than ${high} ${String(schema[high])}.`,
          write: `${low} at most ${high}.`,
          at: context.location.child(low),
        })
  },
}))

export const keywordOfType = rule(
  'A validator ignores a keyword of another type, so the limit does not apply.',
  (report) => ({
    Schema(schema, context) {
      const types = typesOf(schema).map((type) => (type === 'integer' ? 'number' : type))
      if (!types.length || !hasKnownTypes(schema)) return
      for (const [type, keywords] of Object.entries(KEYWORDS_OF_TYPE))
        for (const keyword of keywords.filter((name) => name in schema && !types.includes(type)))
          report(context, {
            what: `${keyword} has no effect on type ${types.join(', ')}: it is for type ${type}.`,
            write: `type: ${type}, or a keyword for type ${types.join(', ')}.`,
            at: context.location.child(keyword).key(),
          })
      if (types.includes('array') && !isNode(schema.items) && schema.items !== false)
        report(context, { what: 'The array does not say what its items are.', write: 'items: and a schema.' })
    },
  }),
)
