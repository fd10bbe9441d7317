// `npm run client:sign -- <key> [<file>]`: signs the SHA-256 sums of the published versions, with an Ed25519
// private key as PEM. The key stays with the publisher, who gives partners its public half, but not from this server: who
// replaces a download could replace the key beside it.
import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { readReleases, SIGNATURE, sumsOf } from './releases.ts'

const [keyFile, file = SIGNATURE] = process.argv.slice(2)
if (!keyFile) throw new Error('Name the file of the private key: npm run client:sign -- <key>')
const key = createPrivateKey(readFileSync(keyFile))
if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key.')
writeFileSync(file, sign(null, Buffer.from(sumsOf(readReleases())), key))
