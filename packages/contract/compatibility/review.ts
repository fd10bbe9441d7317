import { isDeepStrictEqual } from 'node:util'
import type { Bundle, DocumentName } from '../bundle.ts'
import type { Break } from './comparison.ts'
import { differences } from './differences.ts'
import { findBreaks } from './documents.ts'
import { findLostNames } from './generated-clients.ts'
import type { ListedChange } from './redocly.ts'
import { announces, changelogItems, type Impact, isAtLeast, nextVersion } from './versions.ts'

/** One document as published and as it is now, with the list of its changes. */
export type Revision = { name: DocumentName; before: Bundle; after: Bundle; changes: ListedChange[] }

export type DocumentReview = {
  name: DocumentName
  breaks: Break[]
  impact: Impact
  /** Every change, harmless or not. */
  differences: string[]
}

export type Review = {
  /** The changed documents. */
  documents: DocumentReview[]
  /** What to do before the documents can be published. Empty when they can be. */
  problems: string[]
}

/** Judges all changes since the last publication: what breaks, whether it is announced, and the version. */
export function review(revisions: Revision[], changelog: string): Review {
  const documents = revisions
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
    .map(({ name, before, after, changes }) => {
      const own = [...findBreaks(before, after), ...(name === 'partner' ? findLostNames(before, after) : [])]
      const breaks = own.length > 0 ? own : missedBreaks(changes)
      return {
        name,
        breaks,
        impact: impactOf(breaks, changes),
        differences: differences(before, after),
      }
    })
  if (documents.length === 0) return { documents, problems: [] }
  const version = revisions[0]!.after.info.version
  const items = changelogItems(changelog, version)
  const unannounced = documents.flatMap(({ name, breaks }) =>
    breaks.filter((each) => !isAnnounced(each, items)).map((each) => ({ name, each })),
  )
  const problems = [
    ...versionProblems(revisions, documents),
    ...(items.length > 0
      ? []
      : [`Describe the change in spec/CHANGELOG.md, as an item under \`## ${version}\`.`]),
    ...unannounced.map(({ name, each }) => `${name}: ${sentence(each)} ${each.advice} ${ifIntended(each)}`),
  ]
  return { documents, problems }
}

const ifIntended = (found: Break) =>
  'If the break is intended, add an item to spec/CHANGELOG.md under the new version that starts with ' +
  `\`**Breaking:**\` and names ${namesOf(found)
    .map((name) => `\`${name}\``)
    .join(' and ')}.`

/** An item may name the component, or in its place every operation that the break reaches. */
const isAnnounced = (found: Break, items: string[]) => {
  const [subject, ...detail] = namesOf(found)
  return [[subject!], found.operations].some((names) =>
    items.some((item) => announces(item, [...names, ...detail])),
  )
}

/** What an item must name: the component or operation, and the field or part of it that breaks. */
const namesOf = ({ subject, place }: Break) => [
  ...new Set([subject, place.split(' > ').at(-1)!.split(' ').at(-1)!]),
]

/** The place, the operations that it reaches, and what is wrong there. */
export function sentence({ place, subject, operations, problem }: Break): string {
  const reached = operations.filter((name) => name !== subject)
  const others = reached.length > 3 ? `, and ${reached.length - 3} more` : ''
  return `${place}${reached.length > 0 ? ` (${reached.slice(0, 3).join(', ')}${others})` : ''}: ${problem}.`
}

/** The second opinion: what `redocly diff` calls breaking where findBreaks finds nothing. */
function missedBreaks(changes: ListedChange[]): Break[] {
  return changes
    .filter(({ impact }) => impact === 'major')
    .flatMap(({ path, verdicts }) =>
      verdicts.map(({ message, ruleId }) => ({
        subject: ruleId,
        place: path,
        problem: message.replace(/\.$/, ''),
        advice: 'Keep it as published.',
        operations: [ruleId],
      })),
    )
}

/** The three documents have one version, because one changelog describes them. */
function versionProblems(revisions: Revision[], documents: DocumentReview[]): string[] {
  const impact = documents.reduce<Impact>((highest, one) => higher(highest, one.impact), 'patch')
  const effect = { major: 'break callers', minor: 'add to the contract', patch: 'change texts' }[impact]
  const published = revisions.map(({ before }) => before.info.version)
  const newest = published.reduce((left, right) => (isAtLeast(left, right) ? left : right))
  const lowest = nextVersion(newest, impact)
  return revisions.flatMap(({ name, after: { info } }) => {
    if (!isAtLeast(info.version, lowest))
      return [
        `${name}: info.version is ${info.version}. The changes since ${newest} ${effect}: ` +
          `set info.version to ${lowest} or higher, the same in all documents.`,
      ]
    const first = revisions[0]!.after.info.version
    return info.version === first
      ? []
      : [`${name}: info.version is ${info.version}, but ${first} in ${revisions[0]!.name}. Set one version.`]
  })
}

function impactOf(breaks: Break[], changes: ListedChange[]): Impact {
  if (breaks.length > 0) return 'major'
  return changes.some(({ impact }) => impact !== 'patch') ? 'minor' : 'patch'
}

const IMPACTS: readonly Impact[] = ['patch', 'minor', 'major']
const higher = (left: Impact, right: Impact) =>
  IMPACTS[Math.max(IMPACTS.indexOf(left), IMPACTS.indexOf(right))]!
