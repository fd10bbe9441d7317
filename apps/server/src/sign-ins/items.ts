import type { Schemas } from '@tiwala/contract'
import type { CitizenRecord } from '../citizens/profile.ts'

export type Item = Schemas['SignInItem']
type Value = string | Record<string, string | null>
type ItemRule = { scope: string; read: (citizen: CitizenRecord) => Value | null }

/** An empty text means that the registry does not know the value. */
const known = (text: string | null) => text || null
const joined = (separator: string, parts: (string | null)[]) => known(parts.filter(Boolean).join(separator))

/**
 * Each item: the scope that asks for it, and its value (OpenID Connect Core section 5.1). Null: the citizen has
 * none, and the claim is left out.
 */
export const ITEMS: Record<Item, ItemRule> = {
  name: {
    scope: 'profile',
    read: ({ profile }) =>
      joined(' ', [profile.first_name, profile.middle_name, profile.last_name, profile.suffix]),
  },
  given_name: { scope: 'profile', read: ({ profile }) => known(profile.first_name) },
  middle_name: { scope: 'profile', read: ({ profile }) => known(profile.middle_name) },
  family_name: { scope: 'profile', read: ({ profile }) => known(profile.last_name) },
  suffix: { scope: 'profile', read: ({ profile }) => known(profile.suffix) },
  gender: { scope: 'profile', read: ({ profile }) => known(profile.gender) },
  birthdate: { scope: 'profile', read: ({ profile }) => known(profile.birth_date) },
  picture: { scope: 'profile', read: ({ profile }) => known(profile.photo) },
  email: { scope: 'email', read: ({ profile }) => known(profile.email) },
  phone_number: { scope: 'phone', read: ({ profile }) => known(profile.mobile) },
  address: { scope: 'address', read: ({ profile }) => readAddress(profile) },
  nationality: { scope: 'nationality', read: ({ profile }) => known(profile.nationality) },
  passport: { scope: 'passport', read: ({ passport }) => passport },
  uniqid: { scope: 'uniqid', read: ({ profile }) => profile.uniqid },
}

export const ITEM_NAMES = Object.keys(ITEMS) as Item[]

export const isItem = (name: string): name is Item => Object.hasOwn(ITEMS, name)

/** The standard members (OpenID Connect Core section 5.1.1). */
function readAddress(profile: CitizenRecord['profile']): Record<string, string> | null {
  const { street, barangay, municipality, province, region, country, postal, foreign_address } = profile
  const members = {
    formatted:
      known(foreign_address) ??
      joined(', ', [street, barangay, municipality, province, region, postal, country]),
    street_address: joined(', ', [street, barangay]),
    locality: known(municipality),
    region: joined(', ', [province, region]),
    postal_code: known(postal),
    country: known(country),
  }
  const present = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== null)
  return present.length > 0 ? Object.fromEntries(present) : null
}

/** The claims of the items that the citizen has. */
export const claimsOf = (citizen: CitizenRecord, items: readonly Item[]): Record<string, Value> =>
  Object.fromEntries(
    items
      .map((item) => [item, ITEMS[item].read(citizen)] as const)
      .filter((entry): entry is [Item, Value] => entry[1] !== null),
  )
