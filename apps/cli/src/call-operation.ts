import { columns, isListing, type ListId } from './columns.ts'
import type { CommandContext } from './command-context.ts'
import { commands } from './commands.ts'
import { confirm } from './confirm.ts'
import { publicUrlOf } from './connect.ts'
import { escapeLines, toSafeJson } from './escape-text.ts'
import { createTable, showFields } from './format-output.ts'
import { print, printJson, printMessage } from './io.ts'
import { type Page, paginate, rowsOf } from './paginate.ts'
import { secretsAsEnv } from './secrets-as-env.ts'
import { withRetry } from './with-retry.ts'

/** Calls the operation and shows its answer: what every command does that has no way of its own. */
export async function callOperation(context: CommandContext): Promise<void> {
  const { id, io, input, options } = context
  await confirm(context)
  const call = await context.connect()
  if (isListing(id) && options.all) {
    await showPages(context, id, paginate(withRetry(call, io), id, input))
    return
  }
  const { body } = await call(id, input as never)
  const envBlock = secretsAsEnv(id, body, publicUrlOf(io, context.operatorUrl))
  if (options.json) await printJson(io, body)
  else if (envBlock) await print(io.stdout, escapeLines(envBlock))
  else if (isListing(id)) await showPage(context, id, body)
  else await print(io.stdout, showFields(body, io))
}

async function showPage({ io }: CommandContext, id: ListId, page: Page): Promise<void> {
  const rows = rowsOf(id, page)
  if (rows.length === 0) printMessage(io, `There is nothing for "${commands[id]}".`)
  else await print(io.stdout, createTable(columns[id], io)(rows))
  if (page.next_cursor) printMessage(io, `There is more: --all shows everything, --cursor ${page.next_cursor} the next page.`)
}

/** A row on each line as JSON, so that a list of any length can be read while it comes. */
async function showPages({ io, options }: CommandContext, id: ListId, pages: AsyncIterable<Page>): Promise<void> {
  const table = createTable(columns[id], io)
  let count = 0
  for await (const page of pages) {
    const rows = rowsOf(id, page)
    count += rows.length
    if (rows.length === 0) continue
    await print(io.stdout, options.json ? rows.map((row) => `${toSafeJson(row)}\n`).join('') : table(rows))
  }
  if (count === 0) printMessage(io, `There is nothing for "${commands[id]}".`)
}
