/** What a change does to callers: breaks them, adds something, or only changes texts. */
export type Impact = 'major' | 'minor' | 'patch'

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

export function isAtLeast(version: string, lowest: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(lowest)]
  const differing = left.findIndex((number, index) => number !== right[index])
  return differing < 0 || left[differing]! > right[differing]!
}

function numbersOf(version: string): [major: number, minor: number, patch: number] {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []
  if (numbers.length === 0) throw new Error(`info.version is ${version}. Write three numbers, such as 0.4.0.`)
  return numbers.map(Number) as [number, number, number]
}

/** The items of the changelog under the heading of a version, each on one line. */
export function changelogItems(changelog: string, version: string): string[] {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split('\n')[0]!.trim() === version) ?? ''
  return section
    .split(/^- /m)
    .slice(1)
    .map((item) => item.replaceAll(/\s+/g, ' ').trim())
}

/** Whether an item announces a break and names all of these, in upper or lower case. */
export const announces = (item: string, names: readonly string[]) =>
  item.startsWith('**Breaking:**') &&
  names.every((name) => item.toLowerCase().includes(`\`${name.toLowerCase()}\``))
