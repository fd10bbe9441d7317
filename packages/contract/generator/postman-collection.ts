// Derives the Postman collection of the partner document. The converter is Postman's own. Here, its examples of
// credentials become variables, so that one place holds them, and what one request returns is sent by the next.
import converter from 'openapi-to-postmanv2'
import type { Json } from '../references.ts'

type Header = { key: string; value: string }
type Request = { name: string; header: Header[]; url: { variable: Header[] }; body?: { raw?: string } }
type Item = { name: string; item?: Item[]; request?: Request; response?: unknown[]; event?: unknown[] }
type Collection = { info: Json; item: Item[]; variable: Header[]; event?: unknown }

const OPTIONS = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  optimizeConversion: false,
  enableOptionalParameters: false,
} as const

/** The variables of the collection, and the header, parameter or field that each fills. */
const VARIABLES: Record<string, string> = {
  'X-Secret-Code': 'secret_code',
  'X-Secret-Token': 'secret_token',
  partner_code: 'partner_code',
  partner_secret: 'partner_secret',
  qr_value: 'qr_value',
  exchange_code: 'exchange_code',
  tracking_no: 'tracking_no',
  request_id: 'request_id',
  // Also since the converter makes up a random text for a parameter without an example.
  cursor: 'cursor',
}

/** The field of a response that later requests send. */
const RETURNED = {
  tracking_no: 'response.data?.tracking_no',
  access_token: 'response.access_token',
  cursor: 'response.data?.next_cursor',
}

export async function postmanCollection(document: Json): Promise<Collection> {
  const collection = await convert(document)
  const names = [...Object.values(VARIABLES), 'access_token']
  return {
    info: {
      name: collection.info['name'],
      schema: collection.info['schema'],
      description:
        'Fill the variables of the collection, then send its requests. A response fills those of the next.',
    },
    item: collection.item.filter(({ item }) => item?.length).map(simplify),
    variable: [...collection.variable, ...names.map((key) => ({ key, value: '' }))],
    event: [script()],
  }
}

const convert = (document: Json) =>
  new Promise<Collection>((resolve, reject) => {
    converter.convertV2({ type: 'json', data: structuredClone(document) }, OPTIONS, (error, conversion) => {
      const [output] = conversion?.output ?? []
      if (output) resolve(output.data as Collection)
      else reject(new Error(`The Postman collection cannot be made: ${error?.message ?? conversion?.reason}`))
    })
  })

/** Without the random IDs, so that the same document gives the same file, and without 90 examples of errors. */
function simplify({ name, item, request }: Item): Item {
  if (item) return { name, item: item.map(simplify) }
  const text = JSON.stringify(request)
    .replaceAll('{{bearerToken}}', '{{access_token}}')
    .replaceAll(/\\"(\w+)\\": \\"[^"]*\\"/g, (field, key: string) =>
      key in VARIABLES ? `\\"${key}\\": \\"{{${VARIABLES[key]}}}\\"` : field,
    )
  return { name, request: JSON.parse(text, fill) as Request, response: [] }
}

/** Replaces the example of a header or a parameter by its variable. */
function fill(_name: string, value: unknown): unknown {
  const { key, ...rest } = (value ?? {}) as Partial<Header>
  return key !== undefined && key in VARIABLES ? { ...rest, key, value: `{{${VARIABLES[key]}}}` } : value
}

const script = () => ({
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      "const response = pm.response.text() === '' ? {} : pm.response.json();",
      ...Object.entries(RETURNED).map(
        ([name, field]) => `if (${field}) pm.collectionVariables.set('${name}', ${field});`,
      ),
    ],
  },
})
