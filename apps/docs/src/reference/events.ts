// The events that the service sends to a partner, with a signature that the reader can compute again.
import { createHmac } from 'node:crypto'
import { withNotice } from './deprecation.ts'
import {
  type Document,
  documents,
  examplesOf,
  follow,
  type Media,
  type OperationObject,
  type Parameter,
} from './documents.ts'

export type Event = { type: string; document: Document; spec: OperationObject }

export const events: Event[] = [...documents.values()].flatMap((document) =>
  Object.entries(document.webhooks ?? {}).map(([type, { post }]) => ({
    type,
    document,
    spec: withNotice(post),
  })),
)

/**
 * The body of an event. One schema describes several events, so it is narrowed to this one: to its type, and
 * to the state of the record, which the type decides and the example shows.
 */
export const contentOf = ({ type, spec, document }: Event): Record<string, Media> =>
  Object.fromEntries(
    Object.entries(spec.requestBody!.content).map(([mediaType, media]) => {
      const { data } = examplesOf(media, document)[0]!.value as { data?: { state?: string } }
      const state = data?.state && { data: { properties: { state: { const: data.state } } } }
      return [
        mediaType,
        { ...media, schema: { allOf: [media.schema, { properties: { type: { const: type }, ...state } }] } },
      ]
    }),
  )

/** A secret for examples only. */
export const EXAMPLE_SECRET = 'whsec_9Vq0dLrWk3uYtZ6n5sXhB2mGfE8aPjC1oRiK4wTbN7A='

/** What the service signs for the example of an event, and the signature (Standard Webhooks, `v1`). */
export function workedSignature({ spec, document }: Event) {
  const media = Object.values(spec.requestBody!.content)[0]!
  const body = JSON.stringify(examplesOf(media, document)[0]!.value)
  const [id, timestamp] = ['webhook-id', 'webhook-timestamp'].map((name) => exampleOf(name, spec, document))
  const signed = `${id}.${timestamp}.${body}`
  const key = Buffer.from(EXAMPLE_SECRET.slice('whsec_'.length), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return { id, timestamp, body, signed, signature }
}

const exampleOf = (header: string, { parameters = [] }: OperationObject, document: Document) =>
  String(
    parameters
      .map((each) => follow<Parameter>(each as Parameter, document))
      .find(({ name }) => name === header)?.example,
  )

/** The same in a shell. It prints what follows `v1,`. */
export const shellCommand = (signed: string) => `SECRET='${EXAMPLE_SECRET}'
SIGNED='${signed}'
KEY=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
printf %s "$SIGNED" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64`
