import { describe, expect, test } from 'vitest'
import { findBreaks } from '../../contract/compatibility/documents.ts'
import { sentence } from '../../contract/compatibility/review.ts'
import { BREAKING } from './compatibility/breaking-changes.ts'
import { edited, readPublished } from './compatibility/edits.ts'
import { HARMLESS } from './compatibility/harmless-changes.ts'

const published = {
  partner: readPublished('partner'),
  'citizen-app': readPublished('citizen-app'),
  operator: readPublished('operator'),
}

describe('a break is found, at its place, with what to do', () => {
  test.each(BREAKING)('%s (%s: %s)', (_title, document, place, change, message) => {
    const breaks = findBreaks(published[document], edited(document, [place, change]))
    expect(breaks.map(sentence).join('\n')).toMatch(new RegExp(message, 'm'))
    for (const { advice } of breaks) expect(advice).toMatch(/^[A-Z].+\.$/)
  })
})

describe('a harmless change is no break', () => {
  test.each(HARMLESS)('%s (%s: %s)', (_title, document, place, change) => {
    const after = edited(document, [place, change])
    expect(findBreaks(published[document], after).map(sentence)).toEqual([])
  })
})
