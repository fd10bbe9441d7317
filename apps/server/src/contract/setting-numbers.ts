// The numbers of settings in the texts of the contract. The texts hold the defaults, so that a reader of
// spec/ sees numbers. What a server shows has markers in their place, and the server puts the numbers of its
// settings there (`http/pages/docs-values.ts`).

/**
 * The numbers that a setting decides, with the words around them. The number in brackets is the default of
 * the setting, and `...` is any text. Where two phrases are alike, the first one wins.
 */
export const SETTING_PHRASES: readonly [marker: string, phrase: string][] = [
  ['VALUE_QR_TTL_SECONDS', '| QR value | [60] s'],
  ['VALUE_AUTHORIZATION_TTL_SECONDS', '| Pending record | [300] s'],
  ['VALUE_RESULT_TTL_SECONDS', '| Accepted or viewed profile | [3,600] s'],
  ['VALUE_EXCHANGE_CODE_TTL_SECONDS', '| Exchange code | [60] s'],
  ['VALUE_ACCESS_TOKEN_TTL_SECONDS', '| Access token | [300] s'],
  ['VALUE_QR_TTL_SECONDS', 'QR ... [60] seconds'],
  ['VALUE_QR_TTL_SECONDS', 'value expires, [60] seconds'],
  ['VALUE_EXCHANGE_CODE_TTL_SECONDS', 'code ... [60] seconds'],
  ['VALUE_ACCESS_TOKEN_TTL_SECONDS', '[300] seconds'],
  ['VALUE_IDEMPOTENCY_KEY_TTL_SECONDS', 'only for [900] seconds'],
  ['VALUE_QR_RETRY_SECONDS', 'again within [30] seconds'],
  ['VALUE_RESULT_TTL_SECONDS', '[3,600] seconds'],
  ['VALUE_POLL_INTERVAL_SECONDS', 'within [2] seconds'],
  ['VALUE_POLL_INTERVAL_SECONDS', 'less than [2] seconds'],
  ['RAW_MAX_WAIT_SECONDS', 'wait=[25]'],
  ['RAW_MAX_WAIT_SECONDS', 'waitSeconds: [25]'],
  ['VALUE_MAX_WAIT_SECONDS', 'after [25] seconds'],
  ['VALUE_MAX_WAIT_SECONDS', 'at most [25] (RFC 7240'],
  ['VALUE_PENDING_PER_CITIZEN', 'At most [5] requests can be pending'],
  ['VALUE_PENDING_PER_CITIZEN_AND_PARTNER', 'at most [3] of them yours'],
  ['VALUE_REQUESTS_PER_CITIZEN_AND_HOUR', 'at most [30] can be made in an hour'],
  ['VALUE_WAITS_PER_PARTNER', 'At most [200] of your inquiries'],
  ['VALUE_WAITS_PER_RECORD', 'at most [5] of them for one record'],
  ['VALUE_DISCLOSURES_PER_RECORD_AND_HOUR', 'at most [60] times in an hour'],
  ['VALUE_WRITES_PER_CITIZEN_AND_MINUTE', 'be called [60] times in a minute'],
  ['VALUE_STREAMS_PER_CITIZEN', 'have [5] open streams'],
  ['VALUE_DIAGNOSES_KEPT_HOURS', 'keeps one for [24] hours'],
  ['VALUE_DIAGNOSES_KEPT_HOURS', 'after the error, for [24] hours'],
  ['VALUE_DIAGNOSES_KEPT_HOURS', 'more than [24] hours old'],
  ['VALUE_DIAGNOSES_PER_MINUTE', 'beyond [60] in a minute'],
  ['VALUE_SESSION_IDLE_MINUTES', '[15] minutes'],
  ['VALUE_SESSION_HOURS', '[8] hours'],
  ['VALUE_EVENTS_KEPT_DAYS', 'keeps an event for [30] days'],
  ['VALUE_REQUESTS_KEPT_DAYS', 'for [30] days'],
  ['VALUE_REQUESTS_KEPT_DAYS', 'older than [30] days'],
  ['VALUE_SECRET_REMINDER_DAYS', 'within [30] days'],
  ['RAW_REQUESTS_PER_MINUTE', '"[120]-in-1min'],
  ['RAW_REQUESTS_PER_MINUTE', '-in-1min"; q=[120]'],
]

/** Matches the number in a phrase. A line of a text may end between any two words. */
export function patternOf(phrase: string): RegExp {
  const [before = '', number, after = ''] = phrase.split(/[[\]]/)
  const source = (words: string) =>
    words.replaceAll(/[(|+]/g, '\\$&').replaceAll(' ... ', '\\b[^]*\\s').replaceAll(' ', '\\s+')
  return new RegExp(`(?<=${source(before)})\\b${number}\\b(?=${source(after)})`, 'g')
}

const SETTING_PATTERNS = SETTING_PHRASES.map(([marker, phrase]) => [marker, patternOf(phrase)] as const)

/** The same document or catalogue, with markers for the numbers of settings. */
export const withMarkers = <Value extends object>(document: Value): Value => mark(document) as Value

function mark(value: unknown): unknown {
  if (typeof value === 'string')
    return SETTING_PATTERNS.reduce((text, [marker, pattern]) => text.replaceAll(pattern, marker), value)
  if (Array.isArray(value)) return value.map(mark)
  if (typeof value !== 'object' || !value) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mark(each)]))
}
