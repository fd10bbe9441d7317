/** The pages of a list, from the first to the last. */
export async function* readPages<Page extends { next_cursor: string | null }>(
  read: (after: { cursor?: string }) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page = await read(cursor === undefined ? {} : { cursor })
    yield page
    cursor = page.next_cursor
  }
}
