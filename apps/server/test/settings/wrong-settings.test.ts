// Wrong and weak settings: each gets one line that names it, and says what to write.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { LIVE } from '../kit/live-settings.ts'

function messageOf(settings: Record<string, string>): string {
  try {
    readConfig({ ...LIVE, ...settings })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test.each([
  ['PORT', '0', /"0" is not a whole number from 1 to 65535/],
  ['HOST', '', /"" is not an address or a host name/],
  ['DATABASE_URL', 'mysql://svc:S3cret@db.example/tiwala', /is not a URL such as postgres:/],
  ['DATABASE_URL', 'postgres://svc:S3cret@localhost', /is not a URL such as postgres:.*\/database/],
  [
    'DATABASE_URL',
    'postgres://svc:S3cret#1@localhost/tiwala',
    /Encode the special characters of the password/,
  ],
  [
    'DATABASE_URL',
    'postgres://svc:S3cret@localhost/tiwala?sslrootcert=/',
    /cannot read .* \(EISDIR\)\. sslrootcert/,
  ],
  ['TIWALA_TIME_ZONE', 'Manila', /"Manila" is not a time zone such as Asia\/Manila/],
  ['TIWALA_KEY_RING_FILE', '/keys.json', /only one can have effect\. Remove the other/],
  ['TIWALA_PUBLIC_URL', 'https://tiwala.example/base', /is not the URL of a host alone/],
  ['TIWALA_PUBLIC_URL', 'https://svc:S3cret@tiwala.example', /is not the URL of a host alone/],
  ['TIWALA_PUBLIC_URL', String.raw`https://tiwala.example\base`, /is not the URL of a host alone/],
  ['TIWALA_PUBLIC_URL', 'postgres://tiwala.example', /is not the URL of a host alone/],
  ['TIWALA_CITIZEN_AUDIENCE', ' citizens', /begins or ends with white space/],
  ['TIWALA_CITIZEN_ISSUER', 'https://citizens.example ', /is not a URL such as https:/],
  ['TIWALA_CITIZEN_AUDIENCE', '', /is empty\. Remove it to use the default/],
  ['TIWALA_CITIZEN_JWKS_URL', 'citizens.example', /is not a URL such as https:/],
  ['TIWALA_CITIZEN_APP_URL', 'app.example', /is not a link such as https:/],
  ['TIWALA_CITIZEN_APP_URL', 'javascript:alert(1)', /is not a link such as https:/],
  ['TIWALA_CITIZEN_APP_URL', 'tiwala://sign-in#top', /has a fragment/],
  ['TIWALA_CITIZEN_APP_URL', 'https://app.example/sign-in#', /has a fragment/],
  ['TIWALA_CITIZEN_APP_URL', 'tiwala://sign-in ', /has a fragment or white space/],
  ['TIWALA_CITIZEN_JWKS_URL', 'citizens.example:8443', /is not a URL such as https:/],
  ['TIWALA_OTLP_URL', 'collector:4318', /is not a URL such as https:/],
  ['TIWALA_BACKUP_FILES', 'base:/a,base:/b', /a name has two paths/],
  ['TIWALA_ACR_VALUES', 'low,very high', /is not a list such as low,high/],
  ['TIWALA_TRUSTED_PROXIES', '10.0.0.0/99', /is not an IP address or range/],
  ['TIWALA_TRUSTED_PROXIES', '0.0.0.0/0', /is not an IP address or range/],
  ['TIWALA_TRUSTED_PROXIES', '0.0.0.0/1, 128.0.0.0/1', /trusts every address.*Name the proxies/],
  ['TIWALA_TRUSTED_PROXIES', '::ffff:0:0/96', /trusts every address/],
  ['TIWALA_TRUSTED_PROXIES', '::/1, 8000::/1', /trusts every address/],
  ['TIWALA_TRUSTED_PROXIES', ' , ', /is required in live/],
  [
    'TIWALA_CALLBACK_NETWORKS',
    '10.0.0.0/8, 169.254.0.0/16',
    /^TIWALA_CALLBACK_NETWORKS: "169\.254\.0\.0\/16" is not a private/,
  ],
  ['TIWALA_CALLBACK_NETWORKS', '0.0.0.0/0', /is not a private network, such as 10\.20\.0\.0\/16/],
  ['TIWALA_OPERATOR_ADDRESS', '127.0.0.1:08080', /is the address of HOST and PORT\. Choose another/],
  ['TIWALA_AUDIT_ARCHIVE_DIR', 'audit', /"audit" is not an absolute path/],
  ['TIWALA_AUTHORIZATION_TTL_SECONDS', '86401', /from 1 to 86400/],
  ['TIWALA_IDEMPOTENCY_KEY_TTL_SECONDS', '599', /from 600 to/],
  ['TIWALA_BACKUP_FILES', 'audit.ndjson', /is not name:\/path, such as export:/],
  ['TIWALA_GOING_LIVE_KEYS_FILE', '/keys.json', /cannot read \/keys\.json as JSON \(ENOENT\)/],
  [
    'TIWALA_GOING_LIVE_KEYS_FILE',
    'package.json',
    /has no list of public keys\. Write it with: tiwala audit keys/,
  ],
  ['TIWALA_QR_TTL_SECONDS', '1e3', /is not a whole number/],
])('%s=%s gets one line that says what to write', (name, value, message) => {
  const refusal = messageOf({ [name]: value })
  expect(refusal).not.toMatch(/S3cret|\n/)
  expect(refusal).toMatch(new RegExp(`^(TIWALA_KEY_RING and )?${name}: `))
  expect(refusal).toMatch(message)
})

test('TIWALA_GOING_LIVE_KEYS_FILE: a key that verifies nothing is refused; the file may be in UTF-16', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-keys-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'keys.json')
  const key = { kty: 'OKP', crv: 'Ed25519', kid: 'k', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
  const messageFor = async (keys: object[]) => {
    await writeFile(file, `\uFEFF${JSON.stringify({ keys })}`, 'utf16le')
    return messageOf({ TIWALA_GOING_LIVE_KEYS_FILE: file })
  }
  expect(await messageFor([key])).toBe('')
  for (const wrong of [
    { ...key, x: 'AAAA' },
    { ...key, d: key.x },
    { ...key, kty: 'EC' },
  ])
    expect(await messageFor([key, wrong])).toMatch(/has no list of public keys/)
})
