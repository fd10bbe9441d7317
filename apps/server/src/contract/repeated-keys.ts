/** Each string of a JSON text; with `:` behind it, it is a key. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * Whether an object in the JSON text has a key twice. Programs read such a text in different ways, and
 * `JSON.parse` keeps the last value. False for a text that is not JSON.
 */
export function hasRepeatedKey(text: string): boolean {
  let kept = 0
  try {
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        kept += Object.keys(value).length
      return value
    })
  } catch {
    return false
  }
  // After the parser: in a text with a string that does not end, the search would take quadratic time.
  const sent = [...text.matchAll(STRING)].filter(([, colon]) => colon).length
  return kept !== sent
}
