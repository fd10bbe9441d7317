import { expression, followedBy, type SampleRequest, type Value } from './sample-request.ts'

export function csharpSample({ method, url, query, headers, form, timeout }: SampleRequest): string {
  const [parameter] = query
  const address = parameter
    ? `${text(followedBy(url, `?${parameter[0]}=`))}
    + Uri.EscapeDataString(${text(parameter[1])})`
    : text(url)
  const verb = method[0] + method.slice(1).toLowerCase()
  return `using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(${timeout}) };
using var request = new HttpRequestMessage(HttpMethod.${verb}, ${address});
${headers.map(([name, value]) => `request.Headers.Add("${name}", ${text(value)});\n`).join('')}${
    form
      ? `request.Content = new FormUrlEncodedContent(new Dictionary<string, string>
{
${form.map(([name, value]) => `    ["${name}"] = ${text(value)},\n`).join('')}});\n`
      : ''
  }using var response = await client.SendAsync(request);
Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");
`
}

const text = (value: Value) =>
  expression(
    value,
    '+',
    (name) => `Environment.GetEnvironmentVariable("${name}")!`,
    (part) => `"${part}"`,
  )
