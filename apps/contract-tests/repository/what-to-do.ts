const KINDS = ['status', 'error', 'type', 'header', 'webhook', 'event'] as const
type Kind = (typeof KINDS)[number]

const WHAT_TO_DO: Record<Kind, string> = {
  status: 'Write a test that gets this status, or delete the response from the document.',
  error: 'Write a test that gets this error code, or delete the code from the response.',
  type: 'Write a test that gets this media type, or delete the media type from the response.',
  header: 'Write a test that gets this header, or delete the header from the response.',
  webhook: 'Write a test in which a receiver gets this event, or delete the webhook from the document.',
  event: 'Write a test in which a stream sends this event, or delete the type from the schema.',
}

/** What a person has to do about a fact that the traffic has not shown. */
export const whatToDo = (fact: string): string => WHAT_TO_DO[kindOf(fact)]

/** `inquire 200` is a status, `inquire 429 error slow_down` an error, `webhook profile.viewed` a webhook. */
function kindOf(fact: string): Kind {
  const [subject, , kind = 'status'] = fact.split(' ')
  return (subject === 'webhook' || subject === 'event' ? subject : kind) as Kind
}
