// Error codes that no response has.
import { join } from 'node:path'
import { type Place, type Spec } from '../files.ts'
import { explain, isNode, listOf, nodeOf } from '../rule.ts'

/** No operation returns these codes: a request that matches no operation gets them. */
const CODES_WITHOUT_OPERATION = ['method_not_allowed']

export function unusedErrorCodes({ folder, files }: Spec): Place[] {
  const document = files.get(join(folder, 'schemas/error-code.yaml'))
  if (!document) return []
  const used = new Set<unknown>(CODES_WITHOUT_OPERATION)
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    for (const code of listOf(nodeOf(nodeOf(value.properties).error).enum)) used.add(code)
    Object.values(value).forEach(visit)
  }
  for (const { parsed } of files.values()) visit(parsed)
  return listOf(nodeOf(document.parsed).enum).flatMap((code, index) =>
    used.has(code)
      ? []
      : [
          {
            document,
            pointer: `#/enum/${index}`,
            message: explain(
              `No response has the code ${String(code)}.`,
              'Partners write code for an error that never comes.',
              `${String(code)} in the enum of error of a response in responses/, or remove the code.`,
            ),
          },
        ],
  )
}
