// Judges the changes of the documents since their publication: what breaks callers, whether the changelog
// announces it, and whether the version fits.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type Bundle, bundle, DOCUMENTS, type DocumentName, SPEC, toText } from '../bundle.ts'
import { findAdditions } from './additions.ts'
import { type Break, findBreaks, withoutTexts } from './compare-documents.ts'
import { findLostNames } from './compare-generated-code.ts'
import { differences } from './differences.ts'
import { lineOf } from './places.ts'

/** One document as published and as it is now. */
export type Revision = { name: DocumentName; before: Bundle; after: Bundle }

/** What a change does to callers: breaks them, adds something, or only changes texts. */
export type Impact = 'major' | 'minor' | 'patch'

export type Review = {
  /** The changed documents, each with all its differences, harmless or not. */
  documents: { name: DocumentName; breaks: Break[]; impact: Impact; differences: string[]; texts: string[] }[]
  /** What to do before the documents can be published. Empty when they can be. */
  problems: string[]
}

/** Where the last published bundle of each document is. */
const PUBLISHED = pathToFileURL(join(SPEC, 'published/'))

export const readChangelog = () => readFile(join(SPEC, 'CHANGELOG.md'), 'utf8')

/** The error names the file, which a merge can leave with marks of conflicts. */
export async function readPublished(name: DocumentName, folder = PUBLISHED): Promise<Bundle> {
  try {
    return JSON.parse(await readFile(new URL(`${name}.json`, folder), 'utf8')) as Bundle
  } catch (error) {
    throw new Error(`spec/published/${name}.json:1:1 ${(error as Error).message}`, { cause: error })
  }
}

/** Reads each document as published and as `spec/` has it now. */
export function readRevisions(): Promise<Revision[]> {
  return Promise.all(
    DOCUMENTS.map(async (name) => ({
      name,
      before: await readPublished(name),
      after: await bundle(name),
    })),
  )
}

/** Writes the current documents to the folder of the published ones, unless the review has problems. */
export async function publish(revisions: Revision[], changelog: string, folder = PUBLISHED): Promise<Review> {
  const result = review(revisions, changelog)
  if (result.problems.length === 0)
    await Promise.all(
      revisions.map(({ name, after }) => writeFile(new URL(`${name}.json`, folder), toText(after))),
    )
  return result
}

export function review(revisions: Revision[], changelog: string): Review {
  const documents = revisions
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
    .map(({ name, before, after }) => {
      const names = name === 'partner' ? findLostNames(before, after) : []
      const breaks = [...findBreaks(before, after), ...names]
      const all = differences(before, after)
      const placeOf = (difference: string) => difference.split('`')[1]!
      const promises = new Set(differences(withoutTexts(before), withoutTexts(after)).map(placeOf))
      const impact: Impact = breaks.length > 0 ? 'major' : promises.size > 0 ? 'minor' : 'patch'
      return {
        name,
        breaks,
        impact,
        differences: all.filter((each) => promises.has(placeOf(each))),
        texts: all.filter((each) => !promises.has(placeOf(each))),
      }
    })
  if (documents.length === 0) return { documents, problems: [] }
  const version = revisions[0]!.after.info.version
  const newest = changelog.split('\n').findIndex((line) => line.startsWith('## '))
  const heading = `spec/CHANGELOG.md:${Math.max(0, newest) + 1}`
  const items = changelogItems(changelog, version)
  const problems = [
    ...versionProblems(
      revisions,
      documents.map(({ impact }) => impact),
    ).map((problem) => `${heading} ${problem}`),
    ...(items.length > 0 ? [] : [`${heading} Describe the change, as an item under \`## ${version}\`.`]),
    ...documents.flatMap(({ name, breaks }) =>
      breaks
        .filter((found) => !isAnnounced(found, items))
        .map(
          (found) =>
            `${lineOf(SPEC, name, found.place)} ${name}: ${sentence(found)} ${found.advice} ${ifIntended(found)}`,
        ),
    ),
    ...revisions.flatMap(({ name, before, after }) =>
      findAdditions(before, after)
        .filter(
          ({ name: added, owners }) =>
            !items.some((item) => names(item, added) && owners.some((owner) => names(item, owner))),
        )
        .map(({ name: added, place, owners: [owner] }) => {
          const all = [...new Set([added, owner])].map((each) => `\`${each}\``).join(' and ')
          return `${lineOf(SPEC, name, place)} ${name}: \`${added}\` is new. Add an item that names ${all} to ${heading}.`
        }),
    ),
  ]
  return { documents, problems }
}

/** The place, the operations that it reaches, and what is wrong there. */
export function sentence({ place, subject, operations, problem }: Break): string {
  const reached = operations.filter((name) => name !== subject)
  const others = reached.length > 3 ? `, and ${reached.length - 3} more` : ''
  return `${place}${reached.length > 0 ? ` (${reached.slice(0, 3).join(', ')}${others})` : ''}: ${problem}.`
}

/** The whole change for a reviewer: what breaks, what else changes, and what is left to do. */
export function toMarkdown({ documents, problems }: Review): string {
  if (documents.length === 0) return 'The contract is as published.\n'
  const list = (items: string[]) => items.map((item) => `- ${item}`).join('\n')
  const sections = documents.flatMap(({ name, breaks, differences: all, texts }) => [
    `## ${name}`,
    breaks.length > 0
      ? `Breaking:\n\n${list(breaks.map((found) => `${lineOf(SPEC, name, found.place)} ${sentence(found)}`))}`
      : `Nothing breaks callers.${all.length > 0 ? ' The service accepts more, or promises more.' : ''}`,
    ...(all.length > 0 ? [`All changes of the contract:\n\n${list(all)}`] : []),
    ...(texts.length > 0 ? [`All changes of texts:\n\n${list(texts)}`] : []),
  ])
  const outcome =
    problems.length > 0
      ? `## To do\n\n${list(problems)}`
      : 'Every break is announced, and the version is right.'
  return `${[...sections, outcome].join('\n\n')}\n`
}

// The changelog

/** The items of the changelog under the heading of a version, each on one line. */
function changelogItems(changelog: string, version: string): string[] {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split('\n')[0]!.trim() === version) ?? ''
  const items = section.split(/^- /m).slice(1)
  return items.map((item) => item.replaceAll(/\s+/g, ' ').trim())
}

/** An item may name the component, or in its place every operation that the break reaches. */
function isAnnounced(found: Break, items: string[]): boolean {
  const [subject, ...detail] = namesOf(found)
  const announces = (item: string, all: string[]) =>
    item.startsWith(markOf(found)) && all.every((name) => names(item, name))
  return [[subject!], found.operations].some((all) =>
    items.some((item) => announces(item, [...all, ...detail])),
  )
}

const names = (item: string, name: string) => item.toLowerCase().includes(`\`${name.toLowerCase()}\``)

/** A removal that callers could not see coming has a mark of its own. */
const markOf = ({ isEarly }: Break) => (isEarly ? '**Breaking without notice:**' : '**Breaking:**')

/** What an item must name: the component or operation, and the field or part of it that breaks. */
const namesOf = ({ subject, place }: Break) => [
  ...new Set([subject, place.split(' > ').at(-1)!.split(' ').at(-1)!]),
]

const ifIntended = (found: Break) =>
  'If the break is intended, add an item to spec/CHANGELOG.md under the new version that starts with ' +
  `\`${markOf(found)}\` and names ${namesOf(found)
    .map((name) => `\`${name}\``)
    .join(' and ')}.`

// The version

/** The documents have the version of the newest heading of the changelog, which describes them all. */
function versionProblems([first, ...others]: Revision[], impacts: Impact[]): string[] {
  const impact = (['major', 'minor'] as const).find((each) => impacts.includes(each)) ?? 'patch'
  const effect = { major: 'break callers', minor: 'add to the contract', patch: 'change texts' }[impact]
  const newest = others.reduce((version, { before }) => {
    return isAtLeast(version, before.info.version) ? version : before.info.version
  }, first!.before.info.version)
  const lowest = nextVersion(newest, impact)
  const { version } = first!.after.info
  if (isAtLeast(version, lowest)) return []
  return [
    `The version is ${version}. The changes since ${newest} ${effect}: begin \`## ${lowest}\`, or a higher ` +
      'version, in spec/CHANGELOG.md, and run `npm run generate`, which writes it into the documents.',
  ]
}

/**
 * The lowest version after a change. From 1.0.0: Semantic Versioning. Before 1.0.0 a break steps the minor
 * version, and every other change at least the patch version.
 */
export function nextVersion(published: string, impact: Impact): string {
  const [major, minor, patch] = numbersOf(published)
  const isStable = major > 0
  if (impact === 'major' && isStable) return `${major + 1}.0.0`
  if (impact === 'major' || (impact === 'minor' && isStable)) return `${major}.${minor + 1}.0`
  return `${major}.${minor}.${patch + 1}`
}

function isAtLeast(version: string, lowest: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(lowest)]
  const differing = left.findIndex((number, index) => number !== right[index])
  return differing < 0 || left[differing]! > right[differing]!
}

function numbersOf(version: string): [major: number, minor: number, patch: number] {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []
  if (numbers.length === 0) throw new Error(`info.version is ${version}. Write three numbers, such as 0.4.0.`)
  return numbers.map(Number) as [number, number, number]
}
