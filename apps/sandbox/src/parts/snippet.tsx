import { CopyButton } from '@tiwala/ui/copy-button'
import type { VNode } from 'preact'

/** Code or a body to copy. JSON is colored. */
export function Snippet({ text }: { text: string }) {
  return (
    <div class="snippet">
      <CopyButton text={text} />
      <pre tabIndex={0}>
        <code>{colored(text)}</code>
      </pre>
    </div>
  )
}

/** The body as it was sent, in lines if it is JSON. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const JSON_PARTS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b/g

function colored(text: string): string | (string | VNode)[] {
  if (!/^[[{]/.test(text)) return text
  const parts: (string | VNode)[] = []
  let end = 0
  for (const match of text.matchAll(JSON_PARTS)) {
    const [all, quoted, colon] = match
    const kind = colon ? 'name' : quoted ? 'text' : 'value'
    parts.push(text.slice(end, match.index), <span class={`json-${kind}`}>{quoted ?? all}</span>, colon ?? '')
    end = match.index + all.length
  }
  return [...parts, text.slice(end)]
}
