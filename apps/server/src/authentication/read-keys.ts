import type { IncomingMessage } from 'node:http'
import { createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose'
import { parseJsonText } from '../secrets/parse-json-text.ts'

const MAX_BYTES = 256 * 1024
const PUBLIC_KEY_TYPES = new Set(['OKP', 'EC', 'RSA'])

/** Throws if the response of another server is too long. */
export async function readBytes(response: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads the key set of another server (RFC 7517). Throws if the response is no set with a public key. */
export async function readKeySet(response: IncomingMessage): Promise<JSONWebKeySet> {
  const bytes = await readBytes(response)
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  try {
    const keySet = parseJsonText(bytes) as JSONWebKeySet
    createLocalJWKSet(keySet)
    if (keySet.keys.some(({ kty }) => PUBLIC_KEY_TYPES.has(kty ?? '')))
      return { keys: keySet.keys.map(withoutEdwardsAlg) }
  } catch {
    // Another text than a key set.
  }
  throw new Error('no JWK set with a public key')
}

/** `EdDSA` and `Ed25519` are one algorithm for such a key (RFC 9864), but libraries compare the names. */
export function withoutEdwardsAlg<Key extends JWK>(key: Key): Key {
  const { alg: _name, ...rest } = key
  return key.crv === 'Ed25519' ? (rest as Key) : key
}
