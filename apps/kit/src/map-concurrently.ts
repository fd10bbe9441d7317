import { Readable } from 'node:stream'

/** Maps items with up to 16 promises in flight. The results are in the order of the items. */
export const mapConcurrently = <Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> =>
  Readable.from(items)
    .map((item: Item) => map(item), { concurrency: 16 })
    .toArray() as Promise<Result[]>
