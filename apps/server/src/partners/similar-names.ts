// A citizen decides by the name and the purpose of a partner, so neither may pass for those of another. By the rules
// of Unicode (UTS 39): a text mixes no scripts whose letters look alike, and names that look alike are reported.
import type { Schemas } from '@tiwala/contract'
import unhomoglyph from 'unhomoglyph'
import type { Database } from '../database/connect.ts'
import { Failure } from '../failure.ts'
import { findOtherNames } from './partner.sql.ts'

/** The scripts that may stand together: one alone, or Latin with those of one East Asian language. */
const SCRIPTS = [
  'Latin Han Hiragana Katakana',
  'Latin Han Bopomofo',
  'Latin Han Hangul',
  'Arabic',
  'Armenian',
  'Bengali',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tagalog',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
]
const OF_THESE_SCRIPTS = SCRIPTS.map((scripts) => {
  const classes = scripts.split(' ').map((script) => `\\p{Script_Extensions=${script}}`)
  return new RegExp(`^[\\p{Script=Common}\\p{Script=Inherited}${classes.join('')}]*$`, 'u')
})
const TOO_MANY_MARKS = /\p{M}{3}/u
/** Without the ordinal signs, which are common in names. */
const LETTERS = /(?![ªº])[\p{L}\p{Nd}]/gu
const MAX_SIMILAR = 10

/** Refuses a name or a purpose that a citizen could read as another one. */
export function requirePlainLetters(texts: { name?: string; purpose?: string }): void {
  const errors: Record<string, string[]> = {}
  for (const field of ['name', 'purpose'] as const) {
    const problem = findProblem((texts[field] ?? '').normalize('NFC'))
    if (problem) errors[field] = [problem]
  }
  if (Object.keys(errors).length) throw new Failure('validation_failed', { errors })
}

function findProblem(text: string): string | undefined {
  if (TOO_MANY_MARKS.test(text)) return 'has more than two combining marks in a row'
  if (!OF_THESE_SCRIPTS.some((pattern) => pattern.test(text)))
    return 'has letters of several scripts, which can look alike'
  // For example bold letters, which are symbols of mathematics, or those of full width.
  const letters = text.match(LETTERS)?.join('') ?? ''
  return letters.normalize('NFKC') === letters ? undefined : 'has letters or digits in a special form'
}

/**
 * The partners whose names a citizen could take for that of this partner. Also suspended ones: each could be resumed, and
 * then no name is set.
 */
export async function findSimilar(
  db: Database,
  { partner_code, name }: Pick<Schemas['Partner'], 'partner_code' | 'name'>,
): Promise<Pick<Schemas['Partner'], 'similar_partners'>> {
  const others = await findOtherNames(db, partner_code)
  const own = skeletonsOf(name)
  const similar = others.filter((row) => skeletonsOf(row.name).some((skeleton) => own.includes(skeleton)))
  if (similar.length === 0) return {}
  return { similar_partners: similar.slice(0, MAX_SIMILAR).map((row) => row.partner_code) }
}

/** Equal for names that look alike, as they are written or in small letters, without marks, spaces and signs. */
export const skeletonsOf = (name: string): string[] => [skeletonOf(name), skeletonOf(name.toLowerCase())]

const skeletonOf = (text: string): string =>
  unhomoglyph(text.normalize('NFKD'))
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
