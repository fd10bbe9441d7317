/**
 * Parses JSON text that another program wrote. It is UTF-8 (RFC 8259); some programs add a byte order mark, or
 * write UTF-16 (RFC 7159), where every second byte of an ASCII character is zero.
 */
export function parseJsonText(text: string | Uint8Array): unknown {
  const bytes = Buffer.from(text)
  return JSON.parse(new TextDecoder(encodingOf(bytes)).decode(bytes))
}

function encodingOf([first, second]: Buffer): 'utf-8' | 'utf-16be' | 'utf-16le' {
  if (first === 0 || (first === 0xfe && second === 0xff)) return 'utf-16be'
  return second === 0 || (first === 0xff && second === 0xfe) ? 'utf-16le' : 'utf-8'
}
