import type { Schemas } from '@tiwala/contract'

type Item = Schemas['SignInItem'] | keyof Schemas['SsoProfile']

/** What a partner gets of a citizen: the items of a sign-in, and the fields of a profile. */
const WORDS: Record<Item, string> = {
  uniqid: 'identifier in the registry',
  name: 'full name',
  given_name: 'first name',
  first_name: 'first name',
  middle_name: 'middle name',
  family_name: 'last name',
  last_name: 'last name',
  suffix: 'suffix of the name',
  gender: 'gender',
  birthdate: 'date of birth',
  birth_date: 'date of birth',
  nationality: 'nationality',
  picture: 'photo',
  photo: 'photo',
  email: 'email address',
  phone_number: 'mobile number',
  mobile: 'mobile number',
  address: 'address',
  street: 'street',
  address_line_2: 'second line of the address',
  barangay: 'barangay',
  barangay_code: 'code of the barangay',
  municipality: 'city or municipality',
  municipality_code: 'code of the city or municipality',
  province: 'province',
  province_code: 'code of the province',
  region: 'region',
  region_code: 'code of the region',
  country: 'country',
  country_id: 'number of the country',
  postal: 'postal code',
  foreign_address: 'foreign address',
  passport: 'passport',
}

/** The item in words. One that this page does not know has its name. */
export const wordsOfItem = (item: string): string => (WORDS as Record<string, string>)[item] ?? item
