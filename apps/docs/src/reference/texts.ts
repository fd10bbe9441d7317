// The texts of the contract, as a site shows them: the numbers of settings become markers, which the server
// fills in, and a live site does not mention the sandbox.
import { site } from '../site.ts'

/**
 * The numbers that a setting decides. Each phrase holds the default of the setting. The order matters where
 * two phrases are alike.
 */
export const SETTING_PHRASES: readonly [setting: string, phrase: RegExp][] = [
  ['QR_TTL_SECONDS', /(?<=(?:QR|value expires)[^]*)60(?= seconds)/],
  ['EXCHANGE_CODE_TTL_SECONDS', /(?<=code[^]*)60(?= seconds)/],
  ['ACCESS_TOKEN_TTL_SECONDS', /300(?= seconds)/],
  ['QR_RETRY_SECONDS', /(?<=again within )30(?= seconds)/],
  ['RESULT_TTL_SECONDS', /3,600(?= seconds)/],
  ['POLL_INTERVAL_SECONDS', /(?<=(?:within|less than) )2(?= seconds)/],
  ['MAX_WAIT_SECONDS', /(?<=wait=)25/],
  ['MAX_WAIT_SECONDS', /(?<=after )25(?=\s+seconds)/],
  ['MAX_WAIT_SECONDS', /(?<=at most )25(?= \(RFC 7240)/],
  ['PENDING_PER_CITIZEN', /(?<=At most )5(?= requests can be pending)/],
  ['PENDING_PER_CITIZEN_AND_PARTNER', /(?<=at most )3(?= of them yours)/],
  ['REQUESTS_PER_CITIZEN_AND_HOUR', /(?<=at most )30(?= can be made in an hour)/],
  ['WAITS_PER_PARTNER', /(?<=At most )200(?= of your inquiries)/],
  ['WAITS_PER_RECORD', /(?<=at most )5(?= of them\s+for one record)/],
  ['STREAMS_PER_CITIZEN', /(?<=have )5(?= open streams)/],
  ['DIAGNOSES_KEPT_HOURS', /24(?= hours)/],
  ['DIAGNOSES_PER_MINUTE', /(?<=beyond )60(?= in a minute)/],
  ['SECRET_REMINDER_DAYS', /(?<=within )30(?= days)/],
]

/** What only the sandbox has, and what a live site says instead. */
const SANDBOX_PHRASES: readonly [phrase: RegExp, live: string][] = [
  [/ \(in the\s+sandbox also `http` on a\s+loopback address\)/g, ''],
  [/`sandbox` with synthetic citizens, or `live`/g, '`live`'],
  [/A partner in the sandbox/g, 'A partner'],
  [/\/sandbox\/photos\//g, '/photos/'],
  [/^sandbox$/, 'live'],
  [/SANDBOX/g, 'YOUR_PARTNER_CODE'],
]

/** The same document or catalogue, with the texts of this site. */
export function forSite(value: unknown): unknown {
  if (typeof value === 'string') return textForSite(value)
  if (Array.isArray(value)) return value.map(forSite)
  if (typeof value !== 'object' || !value) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, forSite(each)]))
}

function textForSite(text: string): string {
  const filled = SETTING_PHRASES.reduce(
    (marked, [setting, phrase]) => marked.replace(phrase, `VALUE_${setting}`),
    text,
  )
  if (site.environment === 'sandbox') return filled
  return SANDBOX_PHRASES.reduce((live, [phrase, replacement]) => live.replace(phrase, replacement), filled)
}
