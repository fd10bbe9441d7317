// The versions of the documents, and of OpenAPI.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Place, rootsOf, type Spec } from '../files.ts'
import { explain, nodeOf, shown } from '../rule.ts'

/** The documents are published together, so they have one version: that of the newest change. */
export function wrongVersions({ folder, files }: Spec): Place[] {
  const newest = /^## (\S+)/m.exec(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'))?.[1]
  return rootsOf(files).flatMap((path) => {
    const document = files.get(path)!
    const version = nodeOf(nodeOf(document.parsed).info).version
    if (version === newest) return []
    const message = explain(
      `The version is ${shown(version)}; the newest heading of CHANGELOG.md is ${newest}.`,
      'Partners compare the version with the changelog to see what is new for them.',
      `version: ${newest}, or a new heading in CHANGELOG.md.`,
    )
    return [{ document, pointer: '#/info/version', message }]
  })
}

/** Redocly cannot read a document of another version, and the rules are for this one. */
export function otherVersionsOfOpenApi({ files }: Spec): Place[] {
  return rootsOf(files).flatMap((path) => {
    const document = files.get(path)!
    const { openapi } = nodeOf(document.parsed)
    if (/^3\.1\.\d+$/.test(String(openapi))) return []
    const message = explain(
      openapi === undefined
        ? 'The document has no version of OpenAPI.'
        : `OpenAPI ${shown(openapi)} is not supported.`,
      'The server, the types and this linter read OpenAPI 3.1, so nothing else was checked.',
      'openapi: 3.1.0.',
    )
    return [{ document, pointer: openapi === undefined ? '#/' : '#/openapi', message }]
  })
}
