import { useRef } from 'preact/hooks'

/** The key of a rotation, the same until it has succeeded: a repetition after a broken connection gets the same secret. */
export function useIdempotencyKey() {
  const kept = useRef({ text: '', key: '' })
  return (body: object | undefined): string => {
    const text = JSON.stringify(body) ?? ''
    if (text !== kept.current.text)
      kept.current = { text, key: crypto.getRandomValues(new Uint32Array(4)).join('-') }
    return kept.current.key
  }
}
