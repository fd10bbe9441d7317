import type { Schemas } from '@tiwala/contract'
import type { CitizenRecord } from '../citizens/profile.ts'
import type { Address } from './addresses.ts'
import type { Behaviour } from './bootstrap-format.ts'
import { type PersonalDetails, SYNTHETIC_CITIZENS, type SyntheticCitizen } from './synthetic-citizens.ts'

type Profile = Schemas['Profile']
export type SandboxCitizen = CitizenRecord & { behaviour: Behaviour }

export function sandboxCitizens(publicUrl: string): SandboxCitizen[] {
  return SYNTHETIC_CITIZENS.map((citizen, index) => toCitizen(citizen, index + 1, publicUrl))
}

/** `number`: from it the citizen's identifiers, photo and passport number are made. */
export function toCitizen(
  { behaviour, passport, address, person }: SyntheticCitizen,
  number: number,
  publicUrl: string,
): SandboxCitizen {
  const profile = toProfile(person, address, number, publicUrl)
  return { behaviour, profile, passport: passport ? toPassport(profile, number) : null }
}

function toProfile(person: PersonalDetails, home: Address, number: number, publicUrl: string): Profile {
  const country = person.country ?? 'Philippines'
  const lines = [home.street, home.barangay, home.municipality, home.province, home.region, country].filter(
    Boolean,
  )
  const address = person.foreign_address ?? lines.join(', ')
  return {
    uniqid: `CTZ-${String(number).padStart(10, '0')}`,
    email: `citizen${number}@citizen.example`,
    birth_date: person.birth_date,
    first_name: person.first_name,
    middle_name: person.middle_name ?? null,
    last_name: person.last_name,
    suffix: person.suffix ?? null,
    gender: person.gender,
    nationality: 'Filipino',
    photo: `${publicUrl}/sandbox/photos/${number}.svg`,
    mobile: `+63917${String(number).padStart(7, '0')}`,
    address,
    ...home,
    country,
    address_line_2: person.address_line_2 ?? '',
    country_id: person.country_id ?? 175,
    foreign_address: person.foreign_address ?? null,
  }
}

function toPassport(profile: Profile, number: number): Schemas['Passport'] {
  const [year, month, day] = profile.birth_date.split('-')
  return {
    first_name: profile.first_name,
    middle_name: profile.middle_name ?? '',
    last_name: profile.last_name,
    suffix: profile.suffix ?? '',
    gender: profile.gender.charAt(0).toUpperCase() + profile.gender.slice(1),
    birth_date: `${month}/${day}/${year}`,
    passport_number: `P${String(number).padStart(7, '0')}A`,
    place_issued: number % 2 ? 'DFA Manila' : 'DFA Cebu',
    expiry_date: '06/30/2032',
  }
}
