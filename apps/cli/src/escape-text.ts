// Text that others wrote, made safe to print: nothing in it may steer the terminal, hide itself or change the order of what is read.

/** Control, format (bidirectional, zero width, tags), private and invisible characters, lone surrogates, line and paragraph separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** One line for people: an unsafe character is shown by its code, as `\u{202e}`. */
export const escapeText = (text: string): string => text.replaceAll(UNSAFE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

/** Several lines, of which the line feeds are ours. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeText).join('\n')

/** JSON of the same value, in which unsafe characters are escaped. They can stand in strings only. */
export const toSafeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : character.split('').map(toUnicodeEscape).join(''),
  )

const toUnicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
