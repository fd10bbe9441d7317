// The values that the documentation leaves open, because they are known only when the server runs: its
// addresses and the numbers among its settings.
import type { Config, Listener } from '../../config.ts'
import { basePathOf, documents } from '../../contract/documents.ts'
import { SETTINGS } from '../../settings.ts'

/**
 * `VALUE_RESULT_TTL_SECONDS` is `3,600`, for people. `RAW_RESULT_TTL_SECONDS` is `3600`, for programs. In
 * JSON, the escape `\n` may stand before a marker.
 */
const MARKERS = /(?<![A-Z0-9_])(VALUE|RAW)_([A-Z0-9_]+)\b/g
/** `VALUE_RESULT_TTL_SECONDS seconds` is `1 hour`. */
const DURATIONS = /(?<![A-Z0-9_])VALUE_([A-Z0-9_]+_SECONDS)(?:\s|\\n)+s(?:econds?)?\b/g
const UNITS = [
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const
const EXAMPLE_ADDRESS = new URL(documents.partner.servers[0]!.url).origin

/** Replaces the markers in a text. `escape` makes a value safe at the places where the text has markers. */
export type FillValues = (text: string, escape?: (value: string) => string) => string

/** For the documentation of a listener, which links to its own pages. */
export function createFillValues(
  { publicUrl, operatorUrl, numbers }: Config,
  { url }: Pick<Listener, 'url'>,
): FillValues {
  const operatorPath = basePathOf('operator')
  return (text, escape = (value) => value) =>
    fillNumbers(
      fillDurations(
        text
          .replaceAll(EXAMPLE_ADDRESS + operatorPath, escape(operatorUrl + operatorPath))
          .replaceAll(`${EXAMPLE_ADDRESS}/docs`, escape(`${url}/docs`))
          .replaceAll(EXAMPLE_ADDRESS, escape(publicUrl)),
        numbers,
      ),
      numbers,
    )
}

/** Replaces the markers of settings in a text. */
export const fillNumbers = (text: string, numbers: Config['numbers']): string =>
  text.replaceAll(MARKERS, (marker, kind: string, name: string) => {
    const value = numbers[`TIWALA_${name}`]
    if (value === undefined) return marker
    return kind === 'RAW' ? String(value) : value.toLocaleString('en')
  })

/** For the pages only: the documents of the API say seconds, as their fields do. */
const fillDurations = (text: string, numbers: Config['numbers']): string =>
  text.replaceAll(DURATIONS, (marker, name: string) => {
    const value = numbers[`TIWALA_${name}`]
    return value === undefined ? marker : toDuration(value)
  })

/** In the largest unit of which it is a whole number. */
function toDuration(seconds: number): string {
  const [length, unit] = UNITS.find(([of]) => seconds >= of && seconds % of === 0) ?? UNITS.at(-1)!
  const count = seconds / length
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`
}

/** The markers of a text that no setting fills in. */
export const unknownMarkers = (text: string): string[] =>
  [...text.matchAll(MARKERS)].map(([marker]) => marker).filter((marker) => !isKnown(marker))

const isKnown = (marker: string) => {
  const setting = (SETTINGS as Record<string, { default?: unknown }>)[marker.replace(/^\w+?_/, 'TIWALA_')]
  return typeof setting?.default === 'number'
}
