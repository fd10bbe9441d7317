// Makes text from other sources safe to print. Such text cannot control the terminal, hide characters, or
// change the order in which a person reads it.

/**
 * Control, format (bidirectional, zero width, tags), private and invisible characters, lone surrogates, line
 * and paragraph separators.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Returns one line for people. An unsafe character is shown as its code, for example `\u{202e}`. */
export const escapeText = (text: string): string =>
  text.replaceAll(UNSAFE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

/** Escapes each line, and keeps the line feeds. Use it only for text whose line feeds the CLI has written. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeText).join('\n')

/**
 * Returns JSON of the same value, with its unsafe characters escaped. In JSON, they can only be inside
 * strings.
 */
export const toSafeJson = (value: unknown, indent?: number): string =>
  escapeUnsafe(JSON.stringify(value, null, indent))

/** Escapes the unsafe characters of a text as JSON does, except line feeds. */
export const escapeUnsafe = (text: string): string =>
  text.replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : character.split('').map(toUnicodeEscape).join(''),
  )

const toUnicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
