// Where the reader is: `#/requests?status=4XX`. A view and its filters have an address, which the browser keeps in its
// history and which can be sent to a colleague.
import { useEffect, useState } from 'preact/hooks'

export const VIEWS = { requests: 'Requests', records: 'Records', members: 'Members' } as const
export type View = keyof typeof VIEWS
/** `item`: the request that is shown. */
export type Place = { view: View; item: string; filters: URLSearchParams }

function read(): Place {
  const [path = '', query] = location.hash.replace(/^#\/?/, '').split('?')
  const [view = '', item = ''] = path.split('/')
  return {
    view: Object.hasOwn(VIEWS, view) ? (view as View) : 'requests',
    // Of an address with a wrong escape, too.
    item: new URLSearchParams(`item=${item}`).get('item') ?? '',
    filters: new URLSearchParams(query),
  }
}

export const hrefOf = (view: View, item = '', filters = ''): string =>
  `#/${view}${item && `/${encodeURIComponent(item)}`}${filters && `?${filters}`}`

export function usePlace(): Place {
  const [place, setPlace] = useState(read)
  useEffect(() => {
    const onChange = () => setPlace(read())
    addEventListener('hashchange', onChange)
    return () => removeEventListener('hashchange', onChange)
  }, [])
  return place
}
