import type { ListedChange } from './redocly.ts'
import { type DocumentReview, type Review, sentence } from './review.ts'

/** The whole change for a reviewer: what breaks, what else changes, and what is left to do. */
export function toMarkdown({ documents, problems }: Review): string {
  return [
    ...documents.map(documentSection),
    problems.length > 0
      ? `## To do\n\n${list(problems)}`
      : 'Every break is announced, and the version is right.',
  ].join('\n\n')
}

function documentSection({ name, breaks, changes }: DocumentReview): string {
  const broken = breaks.map((each) => `${sentence(each)} ${each.advice}`)
  return [
    `## ${name}`,
    ...(broken.length > 0 ? [`Breaking:\n\n${list(broken)}`] : ['Nothing breaks callers.']),
    ...(changes.length > 0 ? [`All changes:\n\n${list(changes.map(line))}`] : []),
  ].join('\n\n')
}

function line({ kind, path, property, verdicts }: ListedChange): string {
  const place = `\`${path.replaceAll('~1', '/')}${property === undefined ? '' : ` ${property}`}\``
  return [`${kind} ${place}`, ...verdicts.map(({ message }) => message)].join(': ')
}

const list = (items: string[]) => items.map((item) => `- ${item}`).join('\n')
