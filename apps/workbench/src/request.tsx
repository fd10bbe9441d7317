import { useLoad } from '@tiwala/ui/load'
import { Alert, Heading } from '@tiwala/ui/parts'
import { RequestFacts, Why } from '@tiwala/ui/request'
import { api } from './api.ts'
import { hrefOf } from './location.ts'

/** One request, with the row of its checks and the page of its error. */
export function Request({ id }: { id: string }) {
  const { value, error, isBusy, reload } = useLoad(id, async () => {
    const { body } = await api('readRequest', { path: { request_id: id } })
    return body
  })
  return (
    <>
      <p>
        <a href={hrefOf('requests')}>All requests</a>
      </p>
      <Heading title={`Request ${id}`}>{value?.request.operation ?? 'Request'}</Heading>
      <Alert text={error} />
      {isBusy && !value && <p>Loading ...</p>}
      {value && (
        <>
          <RequestFacts request={value.request} />
          {value.request.error && (
            <Why error={value.request.error} diagnosis={value.diagnosis} helpUrl={value.help_url!} />
          )}
        </>
      )}
      <p>
        <button type="button" class="button compact" onClick={reload}>
          Refresh
        </button>
      </p>
    </>
  )
}
