import type { Schemas } from '@tiwala/contract'

export type StreamEvent = { id: string; event: Schemas['CitizenEvent'] }

/** Reads server-sent events (WHATWG HTML, section 9.2.6) as they arrive. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(':', 1)[0]!, line.slice(line.indexOf(':') + 1).trim()]),
      )
      if (!fields.has('data')) continue
      const event = JSON.parse(fields.get('data')!) as Schemas['CitizenEvent']
      if (fields.get('event') !== event.type)
        throw new Error(`event: ${fields.get('event')} holds ${event.type}`)
      yield { id: fields.get('id')!, event }
    }
  }
}

/** The next `count` events. */
export async function take(events: AsyncGenerator<StreamEvent>, count: number): Promise<StreamEvent[]> {
  const taken: StreamEvent[] = []
  while (taken.length < count) {
    const { value, done } = await events.next()
    if (done) throw new Error(`the stream ended after ${taken.length} of ${count} events`)
    taken.push(value)
  }
  return taken
}
