// A citizen with unique values in every field. No value is so short that ciphertext could contain it by
// chance.
const TEXTS = [
  'first_name',
  'middle_name',
  'last_name',
  'suffix',
  'nationality',
  'address',
  'street',
  'barangay',
  'municipality',
  'region',
  'province',
  'country',
  'address_line_2',
  'foreign_address',
] as const
const PASSPORT = [
  'first_name',
  'middle_name',
  'last_name',
  'suffix',
  'gender',
  'passport_number',
  'place_issued',
] as const
const named = (prefix: string, fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, `${prefix}-${field.replaceAll('_', '-')}`]))

export const profile = {
  ...named('canary', TEXTS),
  email: 'canary@citizen.example',
  birth_date: '1961-07-23',
  gender: 'canary-gender',
  photo: 'https://canary-photo.example/',
  mobile: '+639990001122',
  postal: '9988771122',
  barangay_code: '990011220',
  province_code: '990011221',
  municipality_code: '990011222',
  region_code: '990011223',
  country_id: 998_877_665,
}
export const passport = { ...named('Canary', PASSPORT), birth_date: '07/24/1962', expiry_date: '08/25/2039' }
