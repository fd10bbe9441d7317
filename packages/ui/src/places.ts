// Where the reader is: `#/requests?status=4XX`. A view and its filters have an address, which the browser keeps in its
// history and which can be sent to a colleague.
import { useEffect, useState } from 'preact/hooks'

/** `item`: the one of the view that is shown. */
export type Place<View extends string> = { view: View; item: string; filters: URLSearchParams }

/** The addresses of the views of a page, of which the first is shown at the start. */
export function placesOf<View extends string>(views: Readonly<Record<View, string>>) {
  const first = Object.keys(views)[0] as View

  function read(): Place<View> {
    const [path = '', query] = location.hash.replace(/^#\/?/, '').split('?')
    const [view = '', item = ''] = path.split('/')
    return {
      view: Object.hasOwn(views, view) ? (view as View) : first,
      // Of an address with a wrong escape, too.
      item: new URLSearchParams(`item=${item}`).get('item') ?? '',
      filters: new URLSearchParams(query),
    }
  }

  const hrefOf = (view: View, item = '', filters = ''): string =>
    `#/${view}${item && `/${encodeURIComponent(item)}`}${filters && `?${filters}`}`

  function usePlace(): Place<View> {
    const [place, setPlace] = useState(read)
    useEffect(() => {
      const onChange = () => setPlace(read())
      addEventListener('hashchange', onChange)
      return () => removeEventListener('hashchange', onChange)
    }, [])
    return place
  }

  return { hrefOf, usePlace }
}

/** The filters that have a value. */
export const filled = (filters: Iterable<[string, FormDataEntryValue]>): Record<string, string> =>
  Object.fromEntries([...filters].filter(([, value]) => value)) as Record<string, string>
