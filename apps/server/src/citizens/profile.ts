import type { Schemas } from '@tiwala/contract'

/** What the registry knows: the profile with its postal code as digits, and the passport if there is one. */
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

/** What the partner profile API gives: every field of the profile but the postal code (seed section 2.2). */
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

/** What single sign-on gives (seed section 2.3). */
export const SSO_FIELDS = [...SHARED_FIELDS, 'postal', 'passport'] as const satisfies (keyof Schemas['SsoProfile'])[]

/** Seed section 2.2: the partner profile API never carries the postal code. */
export const toProfile = (profile: Schemas['Profile']): Schemas['Profile'] => ({ ...profile, postal: null })

/** Seed section 2.3: other date, case and postal forms, and the passport. */
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
