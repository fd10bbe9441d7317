import type { Schemas } from '@tiwala/contract'

/**
 * A citizen in the registry: the profile, with the postal code as digits, and the passport if there is one.
 */
export type CitizenRecord = { profile: Schemas['Profile']; passport: Schemas['Passport'] | null }

const NO_PASSPORT: Schemas['Passport'] = {
  first_name: '',
  middle_name: '',
  last_name: '',
  suffix: '',
  gender: '',
  birth_date: '',
  passport_number: '',
  place_issued: '',
  expiry_date: '',
}

/** The fields that the partner profile API discloses: all fields of the profile except the postal code. */
export const SHARED_FIELDS = [
  'uniqid',
  'email',
  'birth_date',
  'first_name',
  'middle_name',
  'last_name',
  'suffix',
  'gender',
  'nationality',
  'photo',
  'mobile',
  'address',
  'street',
  'barangay',
  'municipality',
  'region',
  'province',
  'country',
  'address_line_2',
  'barangay_code',
  'province_code',
  'municipality_code',
  'region_code',
  'country_id',
  'foreign_address',
] as const satisfies Exclude<keyof Schemas['Profile'], 'postal'>[]

/** The fields that single sign-on discloses. */
export const SSO_FIELDS = [
  ...SHARED_FIELDS,
  'postal',
  'passport',
] as const satisfies (keyof Schemas['SsoProfile'])[]

/** For the partner profile API, which never discloses the postal code. */
export const toProfile = (profile: Schemas['Profile']): Schemas['Profile'] => ({ ...profile, postal: null })

/** For single sign-on: other forms of the date, the gender and the postal code, and the passport. */
export const toSsoProfile = ({ profile, passport }: CitizenRecord): Schemas['SsoProfile'] => ({
  ...profile,
  birth_date: slashed(profile.birth_date),
  gender: profile.gender.toUpperCase(),
  postal: Number(profile.postal ?? 0),
  passport: passport ?? NO_PASSPORT,
})

/** `YYYY-MM-DD` to `MM/DD/YYYY`. */
function slashed(date: string): string {
  const [year, month, day] = date.split('-')
  return `${month}/${day}/${year}`
}
