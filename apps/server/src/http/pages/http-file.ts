// The requests of the Postman collection as one text, for the HTTP clients of editors: VS Code (REST Client), JetBrains,
// Neovim and Emacs read it.

type Field = { key: string; value: string; disabled?: boolean }
type Request = {
  method: string
  url: { path: string[]; query: Field[] }
  header: Field[]
  auth: { bearer: Field[] } | null
  body?: { raw: string }
}
type Collection = {
  info: { name: string }
  item: { item: { name: string; request: Request }[] }[]
  variable: Field[]
}

export function httpFile(collection: object): string {
  const { info, item, variable } = collection as Collection
  return [
    `# ${info.name}`,
    ...variable.map(({ key, value }) => `@${key} = ${value}`),
    ...item.flatMap((folder) => folder.item.map(({ name, request }) => `\n### ${name}\n${textOf(request)}`)),
    '',
  ].join('\n')
}

function textOf({ method, url, header, auth, body }: Request): string {
  const path = url.path.map((part) => part.replace(/^:(\w+)$/, '{{$1}}')).join('/')
  const query = url.query
    .filter(isSent)
    .map(({ key, value }) => `${key}=${VARIABLE.test(value) ? value : encodeURIComponent(value)}`)
  const credential = auth ? [{ key: 'Authorization', value: `Bearer ${auth.bearer[0]!.value}` }] : []
  return [
    `${method} {{baseUrl}}/${path}${query.length ? `?${query.join('&')}` : ''}`,
    ...[...credential, ...header].filter(isSent).map(({ key, value }) => `${key}: ${value}`),
    ...(body ? ['', body.raw] : []),
  ].join('\n')
}

const VARIABLE = /^\{\{\w+\}\}$/
const isSent = ({ disabled }: Field) => !disabled
