import { type DocumentReview, type Review, sentence } from './review.ts'

/** The whole change for a reviewer: what breaks, what else changes, and what is left to do. */
export function toMarkdown({ documents, problems }: Review): string {
  if (documents.length === 0) return 'The contract is as published.\n'
  const outcome =
    problems.length > 0
      ? `## To do\n\n${list(problems)}`
      : 'Every break is announced, and the version is right.'
  return `${[...documents.map(documentSection), outcome].join('\n\n')}\n`
}

function documentSection({ name, breaks, differences }: DocumentReview): string {
  return [
    `## ${name}`,
    breaks.length > 0 ? `Breaking:\n\n${list(breaks.map(sentence))}` : 'Nothing breaks callers.',
    `All changes:\n\n${list(differences)}`,
  ].join('\n\n')
}

const list = (items: string[]) => items.map((item) => `- ${item}`).join('\n')
