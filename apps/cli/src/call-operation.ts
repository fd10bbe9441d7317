import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '#api'
import type { CommandContext } from './command-context.ts'
import { commands } from './commands.ts'
import { confirm } from './confirm.ts'
import type { OperatorTransport } from './connect.ts'
import { BASE_PATH, columnsOf, fieldsOf, isList, type OperationId, rowsOf } from './document.ts'
import { escapeLines } from './escape-text.ts'
import { createTableFormatter, formatFields } from './format-output.ts'
import { print, printMessage } from './io.ts'
import { withPager } from './pager.ts'
import { type Page, paginate } from './paginate.ts'
import { createRowPrinter, printValue } from './print-value.ts'
import { UsageError } from './usage-error.ts'
import { withRetry } from './with-retry.ts'

export const WATCH_SECONDS = 2
const WAITS = 'This waits for a second person, who reads and grants it: tiwala approval grant ID'
/** Clears the terminal, and goes to its first line. */
const CLEAR_SCREEN = '\u001b[2J\u001b[H'

/** The default command handler: calls the operation and prints the response, once or with `--watch` again and again. */
export async function callOperation(context: CommandContext): Promise<void> {
  const { id, io, options } = context
  if (options.dryRun) return printRequest(context)
  await confirm(context)
  const call = await context.connect()
  // A change may print secrets, which a pager would hide again.
  const isPaged = api.routes[id].method === 'get' && options.pager !== false
  if (options.watch === undefined)
    return withPager(io, isPaged, (paged) => callOnce({ ...context, io: paged }, call))
  const seconds = Number(options.watch === true ? WATCH_SECONDS : options.watch)
  if (!(seconds >= 1 && seconds <= 3_600))
    throw new UsageError('--watch: give a number of seconds from 1 to 3600.')
  for (;;) {
    if (io.stdout.isTTY) await print(io.stdout, CLEAR_SCREEN)
    await callOnce(context, withRetry(call, io))
    await sleep(seconds * 1_000)
  }
}

/** What would be sent, without the token. */
async function printRequest({ id, io, input, options }: CommandContext): Promise<void> {
  const { method, path } = api.routes[id]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_part, name: string) =>
    encodeURIComponent(String(input.path?.[name])),
  )
  const request = {
    method: method.toUpperCase(),
    path: BASE_PATH + filled,
    query: input.query ?? {},
    body: input.body ?? null,
  }
  await printValue(io, options.output === 'table' ? 'json' : options.output, request)
}

async function callOnce(context: CommandContext, call: OperatorTransport): Promise<void> {
  const { id, io, input, options } = context
  if (isList(id) && options.all) {
    await printPages(context, id, paginate(withRetry(call, io), id, input))
    return
  }
  const repeatable = input.headers?.['Idempotency-Key'] === undefined ? call : withRetry(call, io)
  const { status, body, headers } = await repeatable(id, input as never)
  const etag = headers.get('etag')
  const envBlock = api.envBlockOf(id, body)
  if (options.output !== 'table') {
    if (options.output === 'csv' && isList(id))
      await createRowPrinter(io, 'csv', fieldsOf(id))(rowsOf(id, body))
    else await printValue(io, options.output, body)
    if (etag) printMessage(io, `ETag: ${etag}`)
  } else if (envBlock) await print(io.stdout, escapeLines(envBlock))
  else if (isList(id)) await printPage(context, id, body)
  else await print(io.stdout, formatFields(etag ? Object.assign(body, { etag }) : body, io))
  // Of an act that waits, and of a partner whose scopes wait.
  if (status === 202 || (status === 201 && 'approval_id' in body))
    printMessage(io, WAITS.replace('ID', String((body as Record<string, unknown>)['approval_id'])))
}

async function printPage({ io }: CommandContext, id: OperationId, page: Page): Promise<void> {
  const rows = rowsOf(id, page)
  if (rows.length === 0) printNoResults(io, id)
  else await print(io.stdout, createTableFormatter(columnsOf(id), io)(rows))
  if (page.next_cursor)
    printMessage(
      io,
      `There are more results. --all shows everything; --cursor ${page.next_cursor} shows the next page.`,
    )
}

/** In every format, another program can read a list of any length as a stream. */
async function printPages(
  { io, options }: CommandContext,
  id: OperationId,
  pages: AsyncIterable<Page>,
): Promise<void> {
  const { output } = options
  const formatTable = createTableFormatter(columnsOf(id), io)
  const printRows =
    output === 'table'
      ? async (rows: Record<string, unknown>[]) => print(io.stdout, formatTable(rows))
      : createRowPrinter(io, output, fieldsOf(id))
  let count = 0
  for await (const page of pages) {
    const rows = rowsOf(id, page)
    count += rows.length
    if (rows.length === 0) continue
    await printRows(rows)
  }
  if (count === 0) printNoResults(io, id)
}

const printNoResults = (io: CommandContext['io'], id: OperationId): void =>
  printMessage(io, `"${commands[id]}" found no results.`)
