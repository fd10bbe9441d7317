import { isDeepStrictEqual } from 'node:util'
import type { Bundle, DocumentName } from '../bundle.ts'
import type { Break, Json } from './comparison.ts'
import { findBreaks } from './documents.ts'
import type { ListedChange } from './redocly.ts'
import { announces, changelogItems, type Impact, isAtLeast, nextVersion } from './versions.ts'

/** One document as published and as it is now. */
export type Revision = { name: DocumentName; before: Bundle; after: Bundle }

export type DocumentReview = { name: DocumentName; breaks: Break[]; changes: ListedChange[] }

export type Review = {
  documents: DocumentReview[]
  /** What to do before the documents can be published. Empty when they can be. */
  problems: string[]
}

/** How the changes of one document are listed. */
export type ListChanges = (before: Json, after: Json) => Promise<ListedChange[]>

/** Judges all changes since the last publication: what breaks, whether it is announced, and the version. */
export async function review(revisions: Revision[], changelog: string, list: ListChanges): Promise<Review> {
  const changed = revisions.filter(({ before, after }) => !isDeepStrictEqual(before, after))
  if (changed.length === 0) return { documents: [], problems: [] }
  const documents = await Promise.all(
    changed.map(async ({ name, before, after }) => {
      const changes = await list(before, after)
      const own = findBreaks(before, after)
      return { name, changes, breaks: [...own, ...missedBreaks(own, changes)] }
    }),
  )
  const problems = versionProblems(revisions, documents)
  const version = revisions[0]!.after.info.version
  const items = changelogItems(changelog, version)
  if (items.length === 0)
    problems.push(`Describe the change in spec/CHANGELOG.md, as an item under \`## ${version}\`.`)
  for (const { name, breaks } of documents)
    for (const each of breaks.filter((one) => !isAnnounced(one, items)))
      problems.push(
        `${name}: ${sentence(each)} ${each.advice} If the break is intended, add an item to spec/CHANGELOG.md ` +
          `under the new version that starts with \`**Breaking:**\` and names \`${each.subject}\`.`,
      )
  return { documents, problems }
}

const isAnnounced = ({ subject, operations }: Break, items: string[]) =>
  items.some((item) => announces(item, [subject]) || operations.every((name) => announces(item, [name])))

/** The place, the operations that it reaches, and what is wrong there. */
export function sentence({ place, subject, operations, problem }: Break): string {
  const reached = operations.filter((name) => name !== subject)
  const others = reached.length > 3 ? `, and ${reached.length - 3} more` : ''
  return `${place}${reached.length > 0 ? ` (${reached.slice(0, 3).join(', ')}${others})` : ''}: ${problem}.`
}

/** The second opinion counts where the first found nothing at all. */
function missedBreaks(own: Break[], changes: ListedChange[]): Break[] {
  if (own.length > 0) return []
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
  const impact = documents.reduce<Impact>((highest, one) => higher(highest, impactOf(one)), 'patch')
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

function impactOf({ breaks, changes }: DocumentReview): Impact {
  if (breaks.length > 0) return 'major'
  return changes.some(({ impact }) => impact !== 'patch') ? 'minor' : 'patch'
}

const IMPACTS: readonly Impact[] = ['patch', 'minor', 'major']
const higher = (left: Impact, right: Impact) =>
  IMPACTS[Math.max(IMPACTS.indexOf(left), IMPACTS.indexOf(right))]!
