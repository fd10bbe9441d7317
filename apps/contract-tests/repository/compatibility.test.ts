import { describe, expect, test } from 'vitest'
import { findBreaks } from '../../../packages/contract/compatibility/compare-documents.ts'
import { sentence } from '../../../packages/contract/compatibility/review.ts'
import { BREAKING_EVENTS } from './compatibility/breaking-events.ts'
import { BREAKING_OPERATIONS } from './compatibility/breaking-operations.ts'
import { BREAKING_REQUESTS } from './compatibility/breaking-requests.ts'
import { BREAKING_RESPONSES } from './compatibility/breaking-responses.ts'
import { edited, readPublished } from './compatibility/edits.ts'
import { ADDITIONS } from './compatibility/harmless-additions.ts'
import { LOOSER } from './compatibility/harmless-bounds.ts'
import { OTHER_WORDS } from './compatibility/harmless-words.ts'

const published = {
  partner: readPublished('partner'),
  'citizen-app': readPublished('citizen-app'),
  operator: readPublished('operator'),
  workbench: readPublished('workbench'),
}

describe('a break is found, at its place, with what to do', () => {
  test.each([...BREAKING_OPERATIONS, ...BREAKING_REQUESTS, ...BREAKING_RESPONSES, ...BREAKING_EVENTS])(
    '%s (%s: %s)',
    (_title, document, place, change, message) => {
      const breaks = findBreaks(published[document], edited(document, [place, change]))
      expect(breaks.map(sentence).join('\n')).toMatch(new RegExp(message, 'm'))
      for (const { advice } of breaks) expect(advice).toMatch(/^[A-Z].+\.$/)
    },
  )
})

describe('a harmless change is no break', () => {
  test.each([...OTHER_WORDS, ...ADDITIONS, ...LOOSER])('%s (%s: %s)', (_title, document, place, change) => {
    const after = edited(document, [place, change])
    expect(findBreaks(published[document], after).map(sentence)).toEqual([])
  })
})
