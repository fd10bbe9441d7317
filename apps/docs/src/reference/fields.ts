// The fields of a body as a tree: an object has its fields below it. A record with several states is one object,
// whose fields say where the states differ.
import { describe } from './deprecation.ts'
import { allTypes, isNull, resolve, type Schema, type Schemas } from './schema.ts'

/** What the value of a field is. */
export type Value = {
  /** For example `string`, `string or null`, `list of string`. */
  type: string
  isRequired: boolean
  mayBeNull: boolean
  description: string
  /** The values that the field can have, if they are few and the description does not list them. */
  values: unknown[]
  /** Limits in words, as Markdown: `at most 64 characters`. */
  limits: string[]
  example: unknown
}

export type Field = Value & {
  /** Unlike that of any other field of the page. */
  id: string
  name: string
  /** The name of the object that the value, or each item of the list, is. */
  title: string
  /** The fields of that object. */
  fields: Field[]
  /** What the value is in each state of the record, if it is not the same in all of them. */
  states: { titles: string[]; value: Value }[]
}

export type FieldGroup = { id: string; title: string; description: string; fields: Field[] }

/** The fields of a body. `examples`: whole bodies, from which each field takes its value. */
export function fieldGroup(body: Schema, schemas: Schemas, examples: unknown[], id: string): FieldGroup {
  const schema = resolve(body, schemas)
  return {
    id,
    title: schema.title ?? '',
    description: schema.description?.trim() ?? '',
    fields: fieldsOf(schema, schemas, examples, id),
  }
}

/** The fields of an object, of each item of a list, or of all states of a record. */
function fieldsOf(
  schema: Schema,
  schemas: Schemas,
  examples: unknown[],
  id: string,
  way: readonly Schema[] = [],
): Field[] {
  const states = variantsOf(schema, schemas).filter(({ properties }) => properties)
  const all = states.map((state) => ({
    title: state.title ?? state.name ?? '',
    fields: ownFieldsOf(
      state,
      schemas,
      states.length > 1 ? examples.filter((each) => fits(each, state, schemas)) : examples,
      id,
      way,
    ),
  }))
  const [first, ...others] = all
  return others.length ? mergeStates(withShortTitles(all)) : (first?.fields ?? [])
}

/** `Pending authorization` and `Ended authorization` are `Pending` and `Ended`. */
function withShortTitles(states: State[]): State[] {
  const [last] = / \S+$/.exec(states[0]!.title) ?? []
  if (!last || !states.every(({ title }) => title.endsWith(last))) return states
  return states.map((state) => ({ ...state, title: state.title.slice(0, -last.length) }))
}

/** `way`: the properties that lead here. One that leads to itself is shown without its fields. */
const ownFieldsOf = (
  { properties, required = [] }: Schema,
  schemas: Schemas,
  examples: unknown[],
  id: string,
  way: readonly Schema[],
) =>
  Object.entries(properties ?? {}).map(([name, property]) =>
    toField(
      resolve(property, schemas),
      schemas,
      examples.map((each) => field(each, name)),
      { id: `${id}-${name}`, name, isRequired: required.includes(name) },
      way.includes(property) ? undefined : [...way, property],
    ),
  )

type Place = Pick<Field, 'id' | 'name' | 'isRequired'>

function toField(
  property: Schema,
  schemas: Schemas,
  examples: unknown[],
  place: Place,
  way: readonly Schema[] | undefined,
): Field {
  const isList = Boolean(property.items)
  const items = isList ? examples.flatMap((each) => (Array.isArray(each) ? each : [])) : examples
  const variants = variantsOf(property, schemas)
  const [object, ...otherObjects] = variants.filter(({ properties }) => properties)
  const types = allTypes(property, schemas)
  // The limits of an item of a list, and of what may also be null, count as those of the field. Those of one of
  // several forms do not.
  const [simple, ...otherTexts] = object ? [] : variants.filter((each) => !isNull(each))
  const shown: Schema = { ...simple, ...property }
  const limited = otherTexts.length > 0 ? property : shown
  // An object of one kind, or null, has the meaning of its kind.
  const { description = otherObjects.length ? '' : (object?.description ?? '') } = shown
  return {
    ...place,
    type: typeName(property, schemas),
    mayBeNull: types.includes('null') && types.length > 1,
    description: describe(shown, description),
    values: isNull(property) ? [null] : valuesOf(limited),
    limits: limitsOf(limited),
    example: examples.find((each) => each !== undefined && each !== null && typeof each !== 'object'),
    title: otherObjects.length ? '' : (object?.title ?? object?.name ?? ''),
    fields: way ? fieldsOf(property, schemas, items, place.id, way) : [],
    states: [],
  }
}

type State = { title: string; fields: Field[] }

/** One field for each name. What is the same in every state is said once. */
function mergeStates(states: State[]): Field[] {
  const names = new Set(states.flatMap(({ fields }) => fields.map(({ name }) => name)))
  return [...names].map((name) => {
    const found = states.flatMap(({ title, fields }) =>
      fields.filter((each) => each.name === name).map((each) => ({ title, field: each })),
    )
    const whole = found.map((each) => each.field).toSorted((a, b) => b.fields.length - a.fields.length)[0]!
    const example = found.find((each) => each.field.example !== undefined)?.field.example
    const byValue = Map.groupBy(found, (each) => JSON.stringify(valueOf(each.field)))
    if (byValue.size === 1) return { ...whole, example }
    return {
      ...whole,
      type: nullLast(found.flatMap((each) => each.field.type.split(' or '))).join(' or '),
      isRequired: found.length === states.length && found.every((each) => each.field.isRequired),
      mayBeNull: found.some((each) => each.field.mayBeNull || each.field.type === 'null'),
      values: [],
      limits: [],
      example: undefined,
      states: [...byValue.values()].map((same) => ({
        titles: same.map(({ title }) => title),
        value: same[0]!.field,
      })),
    }
  })
}

const nullLast = (types: string[]) =>
  [...new Set(types)].toSorted((a, b) => Number(a === 'null') - Number(b === 'null'))

/** All that a reader sees of a value, and not its example. */
const valueOf = ({ type, isRequired, mayBeNull, values, limits }: Field) => ({
  type,
  isRequired,
  mayBeNull,
  values,
  limits,
})

/** The schemas that a value, or an item of a list, can have. */
function variantsOf(schema: Schema, schemas: Schemas): Schema[] {
  if (schema.items) return variantsOf(resolve(schema.items, schemas), schemas)
  const branches = schema.oneOf ?? schema.anyOf
  return branches ? branches.flatMap((branch) => variantsOf(resolve(branch, schemas), schemas)) : [schema]
}

/** Whether an example is of this state: every field that has one value only has that value. */
function fits(value: unknown, { properties = {} }: Schema, schemas: Schemas): boolean {
  return Object.entries(properties).every(([name, property]) => {
    const schema = resolve(property, schemas)
    const actual = field(value, name)
    if (schema.const !== undefined) return actual === schema.const
    return allTypes(schema, schemas).includes('null') ? !isNull(schema) || actual === null : actual !== null
  })
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value ? (value as Record<string, unknown>)[name] : undefined

function typeName(schema: Schema, schemas: Schemas): string {
  if (schema.items) return `list of ${typeName(resolve(schema.items, schemas), schemas)}`
  const types = allTypes(schema, schemas)
  const name = (types.length ? nullLast(types) : ['any value']).join(' or ')
  return schema.format ? `${name} (${schema.format})` : name
}

function valuesOf({ const: only, enum: values = [], description = '' }: Schema): unknown[] {
  if (only !== undefined) return [only]
  const isListed = values.every((value) => description.includes(`\`${String(value)}\``))
  return isListed ? [] : values
}

/** What a longer pattern allows is in the description. */
const MAX_PATTERN_LENGTH = 60

function limitsOf({
  minLength,
  maxLength,
  minimum,
  maximum,
  minItems,
  maxItems,
  ...schema
}: Schema): string[] {
  const { pattern = '' } = schema
  return [
    ...range(minLength === 1 && maxLength ? undefined : minLength, maxLength, 'characters'),
    ...range(minItems, maxItems, 'items'),
    ...range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    ...(pattern && pattern.length <= MAX_PATTERN_LENGTH ? [`matches \`${pattern}\``] : []),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
  ]
}

function range(min: number | undefined, max: number | undefined, unit: string): string[] {
  const [low, high] = [min?.toLocaleString('en'), max?.toLocaleString('en')]
  if (low !== undefined && high !== undefined) return [`${low} to ${high} ${unit}`.trim()]
  if (low !== undefined) return [`at least ${low} ${unit}`.trim()]
  return high === undefined ? [] : [`at most ${high} ${unit}`.trim()]
}
