import { relative } from 'node:path'
import { template } from './templates.ts'

/** The entry in `paths` of the document whose path has the most segments in common with this path. */
function nearestEntry(index: string, path: string): string {
  const inCommon = (entry: string) => {
    const [segments, others] = [path.split('/'), entry.trim().split(':')[0]!.split('/')]
    const end = segments.findIndex((segment, at) => segment !== others[at])
    return end < 0 ? segments.length : end
  }
  const [section] = /^paths:\n(?: .*\n)+/m.exec(index)!
  const entries = section.split(/^(?= {2}\/)/m).slice(1)
  return entries.toSorted((a, b) => inCommon(b) - inCommon(a))[0]!
}

/** The name of the file in `paths/` that the nearest entry refers to. */
export const nearest = (index: string, path: string): string =>
  /paths\/([\w-]+)\.yaml/.exec(nearestEntry(index, path))![1]!

/** Adds the operation to `paths` of the document, behind the nearest entry. */
export function addPath(index: string, path: string, method: string, name: string): string {
  const line = `    ${method}: { $ref: paths/${name}.yaml }\n`
  const entry = nearestEntry(index, path)
  if (!entry.startsWith(`  ${path}:\n`)) return index.replace(entry, `${entry}  ${path}:\n${line}`)
  if (entry.includes('\n    $ref: '))
    throw new Error(
      `${path} refers to a file that holds its method. Remove the method from that file, write ` +
        '`<method>: { $ref: paths/<file>.yaml }` in the document as other paths do, and try again.',
    )
  if (entry.includes(`\n    ${method}: `)) throw new Error(`${path} has a ${method} already.`)
  return index.replace(entry, `${entry}${line}`)
}

const SECTIONS: Record<string, { end: string; row: (operation: string) => string }> = {
  partner: {
    end: '  // citizen-app\n',
    row: (operationId) => template('partner-row.ts.txt', { operationId }),
  },
  'citizen-app': {
    end: '  // operator\n',
    row: (operationId) => `  ${operationId}: citizen(${operationId}),\n`,
  },
  operator: {
    end: '} satisfies OperationTable\n',
    row: (operationId) => `  ${operationId}: operator(${operationId}),\n`,
  },
}

/** Adds the import and the row to the table of operations. `code` is the file of the function. */
export function addRow(table: string, document: string, operation: string, code: string): string {
  const { end, row } = SECTIONS[document]!
  if (!table.includes(end)) throw new Error(`operations.ts has no line \`${end.trim()}\`.`)
  const line = `import { ${operation} } from './${relative('apps/server/src', code)}'\n`
  const imports = [...table.matchAll(/^import [^;]*? from '(.+)'\n/gm)]
  const next = imports.find(
    ([, path]) => path!.startsWith('./') && path! > `./${relative('apps/server/src', code)}`,
  )
  const at = next?.index ?? imports.at(-1)!.index + imports.at(-1)![0].length
  return `${table.slice(0, at)}${line}${table.slice(at)}`.replace(end, `${row(operation)}${end}`)
}
