import { errorsOf, parseJson, partOf, validatorOf, wholeDocument } from './documents.ts'
import { fact, type Findings } from './facts.ts'

/** The schema of an event's `data`. OpenAPI 3.1 cannot name it at the media type; the text there does. */
export const EVENT = partOf(wholeDocument('citizen-app'), 'components', 'schemas', 'CitizenEvent')!
const FIELD = /^(?:(?<name>event|data|id|retry): (?<value>.+)|:.*)$/

/** Checks one block of server-sent events (WHATWG HTML, section 9.2.6), without the empty line at its end. */
export function checkStreamBlock(block: string): Findings {
  const lines = block.split('\n').map((line) => FIELD.exec(line))
  if (lines.includes(null))
    return { violations: [`streamEvents: this is no event: ${JSON.stringify(block)}`], facts: [] }
  const fields = new Map(lines.map((line) => [line!.groups!['name'], line!.groups!['value']!]))
  const data = fields.get('data')
  if (data === undefined)
    return {
      violations: fields.has('event') ? [`streamEvents: an event without data: ${block}`] : [],
      facts: [],
    }
  const event = parseJson(data)
  const violations: string[] = []
  const validate = validatorOf(EVENT)
  if (!validate(event)) violations.push(`streamEvents: ${errorsOf(validate)}; the data is ${data}`)
  const { type } = (event ?? {}) as { type?: string }
  if (fields.get('event') !== type)
    violations.push(`streamEvents: the event ${fields.get('event')} holds the type ${type}`)
  if (!/^\d+$/.test(fields.get('id') ?? '')) violations.push(`streamEvents: an event without id: ${block}`)
  return { violations, facts: violations.length > 0 ? [] : [fact.streamEvent(type!)] }
}

/** Passes a stream of events on, and hands each block to `onBlock`. */
export function eventBlocks(onBlock: (block: string) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  let text = ''
  return new TransformStream({
    transform(chunk, controller) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) onBlock(block)
      controller.enqueue(chunk)
    },
  })
}
