/** What a deprecated operation, parameter, header or field says of its end. */
export type Deprecation = {
  deprecated?: boolean
  'x-deprecated-at'?: string
  'x-sunset'?: string
  'x-replaced-by'?: string
}

/** The description of a part. If the part is deprecated, it begins with the dates and the replacement. */
export function describe(part: Deprecation, description: string, separator = ' '): string {
  const { deprecated, 'x-deprecated-at': from, 'x-sunset': to, 'x-replaced-by': replacement } = part
  if (!deprecated) return description.trim()
  const notice = `**Deprecated** since ${from}: use \`${replacement}\` instead. It can end on ${to}.`
  return `${notice}${separator}${description}`.trim()
}

/** An operation or an event with this description. */
export const withNotice = <Part extends Deprecation & { summary: string; description?: string }>(
  part: Part,
): Part =>
  part.deprecated ? { ...part, description: describe(part, part.description ?? part.summary, '\n\n') } : part
