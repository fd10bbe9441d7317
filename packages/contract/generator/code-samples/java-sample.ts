import { classNameOf } from './run-commands.ts'
import { expression, followedBy, type Field, type SampleRequest, type Value } from './sample-request.ts'

export function javaSample({
  operationId,
  method,
  url,
  query,
  headers,
  form,
  timeout,
}: SampleRequest): string {
  const isEncoded = query.length > 0 || form !== undefined
  const address = [text(query.length > 0 ? followedBy(url, '?') : url), ...query.map(encoded)]
  const body = form
    ? `String.join("&",\n${form.map((field) => `                ${encoded(field)}`).join(',\n')})`
    : '""'
  const imports = [
    'java.net.URI',
    ...(isEncoded ? ['java.net.URLEncoder'] : []),
    'java.net.http.HttpClient',
    'java.net.http.HttpRequest',
    ...(method === 'POST' ? ['java.net.http.HttpRequest.BodyPublishers'] : []),
    'java.net.http.HttpResponse.BodyHandlers',
    ...(isEncoded ? ['java.nio.charset.StandardCharsets'] : []),
    'java.time.Duration',
  ]
  return `${imports.map((name) => `import ${name};\n`).join('')}
public class ${classNameOf(operationId)} {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${address.join('\n                + ')}))
${headers.map(([name, value]) => `            .header("${name}", ${text(value)})\n`).join('')}${
    form ? '            .header("Content-Type", "application/x-www-form-urlencoded")\n' : ''
  }            .${method}(${method === 'POST' ? `BodyPublishers.ofString(${body})` : ''})
            .timeout(Duration.ofSeconds(${timeout}))
            .build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
${
  isEncoded
    ? `
    static String field(String name, String value) {
        return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
`
    : ''
}}
`
}

const encoded = ([name, value]: Field) => `field("${name}", ${text(value)})`
const text = (value: Value) =>
  expression(
    value,
    '+',
    (name) => `System.getenv("${name}")`,
    (part) => `"${part}"`,
  )
