// The fields of a body as tables: one for the body, and one for each named object in it.
import { allTypes, isNull, resolve, type Schema, type Schemas } from './schema.ts'

export type Row = {
  /** The path from the object of the table: `data.tracking_no`, `checks[].name`. */
  path: string
  /** For example `string`, `string or null`, `list of string`. */
  type: string
  /** The tables that describe the value, if it is a named object or one of several. */
  tables: { id: string; title: string }[]
  isRequired: boolean
  mayBeNull: boolean
  description: string
  /** The values that the field can have, if they are few and the description does not list them. */
  values: unknown[]
  /** Limits in words, as Markdown: `at most 64 characters`. */
  limits: string[]
  example: unknown
}

export type Table = { id: string; title: string; description: string; rows: Row[] }

type Todo = { id: string; title: string; schema: Schema; examples: unknown[]; union: string | undefined }

/** The tables of a body, its own first. `examples`: whole bodies, from which each field takes its value. */
export function tablesOf(body: Schema, schemas: Schemas, examples: unknown[], id: string): Table[] {
  const todo: Todo[] = [{ id, title: '', schema: resolve(body, schemas), examples, union: undefined }]
  const seen = new Set<string>()
  const tables: (Table & { union: string | undefined })[] = []
  for (let next = todo.shift(); next; next = todo.shift()) {
    if (seen.has(next.id)) continue
    seen.add(next.id)
    const { schema, title, union } = next
    const found: Todo[] = []
    const rows = rowsOf(schema, schemas, next.examples, { path: '', id, found })
    tables.push({ id: next.id, title, description: schema.description?.trim() ?? '', rows, union })
    todo.push(...found)
  }
  return shareRows(tables)
}

/** What is the same in every state of a union is shown once, before the states. */
function shareRows(tables: (Table & { union: string | undefined })[]): Table[] {
  const states = Map.groupBy(tables, ({ union }) => union)
  return tables.flatMap(({ union, ...table }) => {
    const all = union === undefined ? [] : states.get(union)!
    if (all.length < 2) return [table]
    const isShared = (row: Row) => all.every(({ rows }) => rows.some((other) => isSame(row, other)))
    const shared = {
      id: `${union}-every`,
      title: 'In every state',
      description: '',
      rows: table.rows.filter(isShared),
    }
    const own = { ...table, rows: table.rows.filter((row) => !isShared(row)) }
    return all[0]!.id === table.id && shared.rows.length ? [shared, own] : [own]
  })
}

const isSame = (row: Row, other: Row) =>
  JSON.stringify({ ...row, example: null }) === JSON.stringify({ ...other, example: null })

type Place = { path: string; id: string; found: Todo[] }

function rowsOf(schema: Schema, schemas: Schemas, examples: unknown[], place: Place): Row[] {
  const { properties, required = [] } = schema
  return Object.entries(properties ?? {}).flatMap(([name, property]) =>
    rowsOfProperty(
      resolve(property, schemas),
      schemas,
      examples.map((each) => field(each, name)),
      {
        ...place,
        path: `${place.path}${name}`,
        isRequired: required.includes(name),
      },
    ),
  )
}

function rowsOfProperty(
  property: Schema,
  schemas: Schemas,
  examples: unknown[],
  { isRequired, ...place }: Place & { isRequired: boolean },
): Row[] {
  const variants = variantsOf(property, schemas)
  const found = variants.filter(({ properties }) => properties)
  const isList = Boolean(property.items)
  const values = isList ? examples.flatMap((each) => (Array.isArray(each) ? each : [])) : examples
  const isNamed = found.some(({ name }) => name !== undefined)
  const union = found.length > 1 ? `${place.id}-${place.path}` : undefined
  const tables = isNamed ? found.map((schema) => toTable(schema, values, place, schemas, union)) : []
  place.found.push(...tables)
  const types = allTypes(property, schemas)
  // The limits of an item of a list, and of what may also be null, count as those of the field.
  const simple = found[0] ? {} : variants.find((each) => !isNull(each))
  const shown: Schema = { ...simple, ...property }
  const row: Row = {
    path: place.path,
    type: typeName(property, schemas),
    tables: tables.map(({ id, title }) => ({ id, title })),
    isRequired,
    mayBeNull: types.includes('null') && types.length > 1,
    // An object of one kind, or null, has the meaning of its kind.
    description: (shown.description ?? (union ? '' : (found[0]?.description ?? ''))).trim(),
    values: isNull(property) ? [null] : valuesOf(shown),
    limits: limitsOf(shown),
    example: examples.find((each) => each !== undefined && each !== null && typeof each !== 'object'),
  }
  if (isNamed || !found[0]) return [row]
  return [
    row,
    ...rowsOf(found[0], schemas, values, { ...place, path: `${place.path}${isList ? '[]' : ''}.` }),
  ]
}

/** The schemas that a value, or an item of a list, can have. */
function variantsOf(schema: Schema, schemas: Schemas): Schema[] {
  if (schema.items) return variantsOf(resolve(schema.items, schemas), schemas)
  const branches = schema.oneOf ?? schema.anyOf
  return branches ? branches.flatMap((branch) => variantsOf(resolve(branch, schemas), schemas)) : [schema]
}

function toTable(schema: Schema, examples: unknown[], { id }: Place, schemas: Schemas, union?: string): Todo {
  const title = schema.title ?? schema.name ?? ''
  const own = examples.filter((each) => fits(each, schema, schemas))
  return {
    id: `${id}-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
    title,
    schema,
    examples: own,
    union,
  }
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
  const name = (types.length ? types : ['any value']).join(' or ')
  return schema.format ? `${name} (${schema.format})` : name
}

function valuesOf({ const: only, enum: values = [], description = '' }: Schema): unknown[] {
  if (only !== undefined) return [only]
  const isListed = values.every((value) => description.includes(`\`${String(value)}\``))
  return isListed ? [] : values
}

function limitsOf({
  minLength,
  maxLength,
  minimum,
  maximum,
  minItems,
  maxItems,
  ...schema
}: Schema): string[] {
  const { pattern } = schema
  return [
    ...range(minLength === 1 && maxLength ? undefined : minLength, maxLength, 'characters'),
    ...range(minItems, maxItems, 'items'),
    ...range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    ...(pattern ? [`matches \`${pattern}\``] : []),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
  ]
}

function range(min: number | undefined, max: number | undefined, unit: string): string[] {
  const [low, high] = [min?.toLocaleString('en'), max?.toLocaleString('en')]
  if (low !== undefined && high !== undefined) return [`${low} to ${high} ${unit}`.trim()]
  if (low !== undefined) return [`at least ${low} ${unit}`.trim()]
  return high === undefined ? [] : [`at most ${high} ${unit}`.trim()]
}
