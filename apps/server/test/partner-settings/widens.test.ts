// Which changes of its settings give a partner more than before.
import { expect, test } from 'vitest'
import type { Settings, SettingsChange } from '../../src/partner-settings/settings.ts'
import { widens } from '../../src/partner-settings/widens.ts'

const key = (kid: string) => ({ kty: 'EC' as const, kid, crv: 'P-256', x: 'x', y: 'y' })

const PRESENT: Settings = {
  callback_url: 'https://a.example/',
  sso_url: null,
  ip_allow_list: ['203.0.113.0/24', '2001:db8::/32'],
  redirect_uris: ['https://a.example/1', 'https://a.example/2'],
  keys: [key('1'), key('2')],
  jwks_url: null,
}
const NO_KEYS = { ...PRESENT, keys: [] }
const ANY_ADDRESS = { ...PRESENT, ip_allow_list: [] }

const NARROW: [SettingsChange, Settings?][] = [
  [{ callback_url: null }],
  [{ sso_url: null }],
  [{ redirect_uris: ['https://a.example/2'] }],
  [{ keys: [key('2')] }],
  [{ keys: [{ y: 'y', x: 'x', crv: 'P-256', kid: '2', kty: 'EC' }], jwks_url: null }],
  [{ ip_allow_list: ['203.0.113.0/24'] }],
  [{ ip_allow_list: ['203.0.113.128/25', '203.0.113.7', '2001:db8:1::/48'] }],
  [{ ip_allow_list: ['198.51.100.7'] }, ANY_ADDRESS],
]
const WIDE: [SettingsChange, Settings?][] = [
  [{ callback_url: 'https://b.example/' }],
  [{ sso_url: 'https://a.example/' }],
  [{ redirect_uris: ['https://a.example/1', 'https://a.example/3'] }],
  [{ redirect_uris: ['https://a.example/'] }, { ...PRESENT, redirect_uris: null }],
  [{ keys: [key('1'), key('3')] }],
  [{ keys: [{ ...key('1'), x: 'z' }] }],
  [{ keys: [] }],
  [{ keys: [], jwks_url: 'https://a.example/jwks' }],
  [{ keys: [key('1')] }, NO_KEYS],
  [{ jwks_url: 'https://b.example/jwks' }, { ...NO_KEYS, jwks_url: 'https://a.example/jwks' }],
  [
    { jwks_url: null, keys: [] },
    { ...NO_KEYS, jwks_url: 'https://a.example/jwks' },
  ],
  [{ ip_allow_list: [] }],
  [{ ip_allow_list: ['203.0.112.0/23'] }],
  // The same first address.
  [{ ip_allow_list: ['2001:db8::/31'] }],
  [{ ip_allow_list: ['203.0.113.0/24', '198.51.100.7'] }],
  [{ ip_allow_list: ['::/0'] }],
  [{ ip_allow_list: ['not an address'] }],
  [{ callback_url: null, ip_allow_list: [] }],
]

test.each(NARROW)('%j narrows', (change, present = PRESENT) => {
  expect(widens(present, change)).toBe(false)
})

test.each(WIDE)('%j widens', (change, present = PRESENT) => {
  expect(widens(present, change)).toBe(true)
})
