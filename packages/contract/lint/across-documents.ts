// What a linter of single documents cannot see: rules about all files and documents of the spec together.
import { unusedErrorCodes } from './across/error-codes.ts'
import { repeatedOperationIds } from './across/operation-ids.ts'
import { orphanFiles } from './across/orphan-files.ts'
import { referencesPastTheDocument, repeatedPathFiles } from './across/path-references.ts'
import { namesOutsideTheSpec } from './across/public-names.ts'
import { wrongVersions } from './across/versions.ts'
import { type Finding, findingAt, type Place, type Spec } from './files.ts'

type Check = (spec: Spec) => Place[]

export const CHECKS: Readonly<Record<string, Check>> = {
  'error-code': unusedErrorCodes,
  'operation-id': repeatedOperationIds,
  'orphan-file': orphanFiles,
  'path-file': repeatedPathFiles,
  'public-name': namesOutsideTheSpec,
  'reference-place': referencesPastTheDocument,
  version: wrongVersions,
}

/** The findings of these checks, with the names of the checks as rules. */
export const findingsOf = (checks: Readonly<Record<string, Check>>, spec: Spec): Finding[] =>
  Object.entries(checks).flatMap(([rule, check]) =>
    check(spec).map((place) => findingAt(spec.folder, place, rule)),
  )
