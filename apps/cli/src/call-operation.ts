import { columns, isListing, type ListId } from './columns.ts'
import { commands } from './commands.ts'
import { confirm } from './confirm.ts'
import { baseUrlOf } from './connect.ts'
import { handOverOf } from './hand-over.ts'
import { print, printJson, tell } from './io.ts'
import { type Page, pagesOf, rowsOf } from './pages.ts'
import { patiently } from './patiently.ts'
import { toPlainLines, toSafeJson } from './plain.ts'
import { createTable, showFields } from './show.ts'
import type { Work } from './work.ts'

/** Calls the operation and shows its answer: what every command does that has no way of its own. */
export async function callOperation(work: Work): Promise<void> {
  const { id, io, input, options } = work
  await confirm(work)
  const call = await work.connect()
  if (isListing(id) && options.all) {
    await showPages(work, id, pagesOf(patiently(call, io), id, input))
    return
  }
  const { body } = await call(id, input as never)
  const handedOver = handOverOf(id, body, baseUrlOf(io, work.operatorUrl))
  if (options.json) await printJson(io, body)
  else if (handedOver) await print(io.stdout, toPlainLines(handedOver))
  else if (isListing(id)) await showPage(work, id, body)
  else await print(io.stdout, showFields(body, io))
}

async function showPage({ io }: Work, id: ListId, page: Page): Promise<void> {
  const rows = rowsOf(id, page)
  if (rows.length === 0) tell(io, `There is nothing for "${commands[id]}".`)
  else await print(io.stdout, createTable(columns[id], io)(rows))
  if (page.next_cursor) tell(io, `There is more: --all shows everything, --cursor ${page.next_cursor} the next page.`)
}

/** A row on each line as JSON, so that a list of any length can be read while it comes. */
async function showPages({ io, options }: Work, id: ListId, pages: AsyncIterable<Page>): Promise<void> {
  const table = createTable(columns[id], io)
  let count = 0
  for await (const page of pages) {
    const rows = rowsOf(id, page)
    count += rows.length
    if (rows.length === 0) continue
    await print(io.stdout, options.json ? rows.map((row) => `${toSafeJson(row)}\n`).join('') : table(rows))
  }
  if (count === 0) tell(io, `There is nothing for "${commands[id]}".`)
}
