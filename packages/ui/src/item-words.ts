import type { Schemas } from '@tiwala/contract'

type Item = Schemas['SignInItem'] | keyof Schemas['SsoProfile']

/** What a partner gets of a citizen: the items of a sign-in, and the fields of a profile. A citizen reads them in this order. */
const GROUPS = {
  Name: {
    name: 'full name',
    given_name: 'first name',
    first_name: 'first name',
    middle_name: 'middle name',
    family_name: 'last name',
    last_name: 'last name',
    suffix: 'suffix of the name',
  },
  Person: {
    photo: 'photo',
    picture: 'photo',
    birth_date: 'date of birth',
    birthdate: 'date of birth',
    gender: 'gender',
    nationality: 'nationality',
    passport: 'passport',
  },
  Contact: {
    email: 'email address',
    mobile: 'mobile number',
    phone_number: 'mobile number',
  },
  Address: {
    address: 'address',
    street: 'street',
    address_line_2: 'second line of the address',
    barangay: 'barangay',
    municipality: 'city or municipality',
    province: 'province',
    region: 'region',
    postal: 'postal code',
    country: 'country',
    foreign_address: 'foreign address',
  },
  'Registry codes': {
    uniqid: 'identifier in the registry',
    barangay_code: 'barangay code',
    municipality_code: 'city or municipality code',
    province_code: 'province code',
    region_code: 'region code',
    country_id: 'country number',
  },
}
const WORDS: Record<Item, string> = {
  ...GROUPS.Name,
  ...GROUPS.Person,
  ...GROUPS.Contact,
  ...GROUPS.Address,
  ...GROUPS['Registry codes'],
}
/** The parts of the name in a sign-in, and in a profile. */
const NAME_PARTS = [
  ['given_name', 'middle_name', 'family_name', 'suffix'],
  ['first_name', 'middle_name', 'last_name', 'suffix'],
]

/** The item in words. One that this page does not know has its name. */
export const wordsOfItem = (item: string): string => (WORDS as Record<string, string>)[item] ?? item

/** All parts of the name are read as the full name. */
export function withFullName<Name extends string>(items: readonly Name[]): (Name | 'name')[] {
  const parts = NAME_PARTS.find((all) => all.every((part) => items.some((item) => item === part)))
  if (!parts) return [...items]
  return ['name', ...items.filter((item) => item !== 'name' && !parts.includes(item))]
}

/** The items in their groups. */
export function groupItems(items: readonly string[]): { title: string; items: string[] }[] {
  const shown = withFullName(items)
  const groups = Object.entries(GROUPS).map(([title, words]) => ({
    title,
    items: Object.keys(words).filter((item) => shown.includes(item)),
  }))
  const others = shown.filter((item) => !Object.hasOwn(WORDS, item))
  return [...groups, { title: 'Other', items: others }].filter((group) => group.items.length)
}

/** The letters in the logo of a partner. */
export const initialsOf = (name: string): string =>
  name
    .split(' ', 2)
    .map(([first]) => first)
    .join('')
