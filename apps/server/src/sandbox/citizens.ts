// The synthetic citizens. Together they cover every form that the data can have.
import type { Schemas } from '@tiwala/contract'
import type { CitizenRecord } from '../citizens/profile.ts'
import type { Behavior } from './bootstrap-format.ts'

type Profile = Schemas['Profile']
export type SandboxCitizen = CitizenRecord & { behavior: Behavior }
type PersonalDetails = Pick<Profile, 'first_name' | 'last_name' | 'birth_date' | 'gender'> & Partial<Profile>
type SyntheticCitizen = { behavior: Behavior; passport: boolean; address: Address; person: PersonalDetails }

export function sandboxCitizens(publicUrl: string): SandboxCitizen[] {
  return SYNTHETIC_CITIZENS.map((citizen, index) => toCitizen(citizen, index + 1, publicUrl))
}

/** `number`: from it the citizen's identifiers, photo and passport number are made. */
export function toCitizen(
  { behavior, passport, address, person }: SyntheticCitizen,
  number: number,
  publicUrl: string,
): SandboxCitizen {
  const profile = toProfile(person, address, number, publicUrl)
  return { behavior, profile, passport: passport ? toPassport(profile, number) : null }
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

type Address = ReturnType<typeof addressOf>

/**
 * `line`: street, barangay, municipality, province, region, postal code, and the barangay's code (Philippine
 * Standard Geographic Code). The codes of the larger areas are its first digits.
 */
function addressOf(line: string) {
  const parts = line.split(', ')
  const [street = '', barangay = '', municipality = '', province = '', region = '', postal, code = ''] = parts
  const areaCode = (digits: number) => code && code.slice(0, digits).padEnd(9, '0')
  const codes = {
    barangay_code: code,
    municipality_code: areaCode(6),
    province_code: areaCode(4),
    region_code: areaCode(2),
  }
  return { street, barangay, municipality, province, region, postal: postal || null, ...codes }
}

export const MAKATI = addressOf(
  '12 Mabini Street, Poblacion, Makati, Metro Manila, National Capital Region, 1210, 137602020',
)
const CEBU = addressOf('7 Osmeña Boulevard, Santa Cruz, Cebu City, Cebu, Central Visayas, 6000, 072217069')
const DAVAO = addressOf(
  '88 Bonifacio Street, Talomo, Davao City, Davao del Sur, Davao Region, 8000, 112402165',
)
const VIGAN = addressOf('3 Calle Crisologo, Barangay I, Vigan, Ilocos Sur, Ilocos Region, 2700, 012934020')
const BATANES = addressOf('1 National Road, Kayvaluganan, Basco, Batanes, Cagayan Valley, 3900, 020901003')
const ABROAD = addressOf(', , , , , , ')

const SYNTHETIC_CITIZENS: SyntheticCitizen[] = [
  {
    behavior: 'manual',
    passport: true,
    address: MAKATI,
    person: {
      first_name: 'Maria Clara',
      middle_name: 'Reyes',
      last_name: 'Santos',
      gender: 'female',
      birth_date: '1990-04-17',
    },
  },
  {
    behavior: 'accepts',
    passport: true,
    address: CEBU,
    person: {
      first_name: 'Jose',
      middle_name: 'Dela Cruz',
      last_name: 'Ramos',
      suffix: 'Jr.',
      gender: 'male',
      birth_date: '1984-12-30',
    },
  },
  {
    behavior: 'declines',
    passport: false,
    address: DAVAO,
    person: {
      first_name: 'Andres',
      middle_name: 'Luna',
      last_name: 'Magsaysay',
      gender: 'male',
      birth_date: '1978-11-30',
    },
  },
  {
    behavior: 'ignores',
    passport: false,
    address: VIGAN,
    person: {
      first_name: 'Gabriela',
      middle_name: 'Cariño',
      last_name: 'Silang',
      gender: 'female',
      birth_date: '1995-03-19',
    },
  },
  // No middle name, no suffix.
  {
    behavior: 'accepts',
    passport: true,
    address: MAKATI,
    person: { first_name: 'Liwayway', last_name: 'Bautista', gender: 'female', birth_date: '2000-02-29' },
  },
  // No passport.
  {
    behavior: 'accepts',
    passport: false,
    address: DAVAO,
    person: {
      first_name: 'Isagani',
      middle_name: 'Torres',
      last_name: 'Aquino',
      gender: 'male',
      birth_date: '1969-07-04',
    },
  },
  // Lives abroad: no postal code, a foreign address.
  {
    behavior: 'accepts',
    passport: true,
    address: ABROAD,
    person: {
      first_name: 'Corazon',
      middle_name: 'Villanueva',
      last_name: 'Lim',
      gender: 'female',
      birth_date: '1988-08-08',
      country: 'Singapore',
      country_id: 199,
      foreign_address: '10 Example Road, #05-01, Singapore 000000',
    },
  },
  // Letters outside ASCII.
  {
    behavior: 'accepts',
    passport: true,
    address: CEBU,
    person: {
      first_name: 'Niño',
      middle_name: 'Peñaflor',
      last_name: 'Muñoz',
      suffix: 'III',
      gender: 'male',
      birth_date: '1999-12-31',
    },
  },
  // Long names.
  {
    behavior: 'manual',
    passport: true,
    address: BATANES,
    person: {
      first_name: 'Maria Concepcion Immaculada Esperanza Milagros',
      middle_name: 'Macaraeg-Evangelista y Villavicencio',
      last_name: 'Dimaculangan-Katigbak de los Santos',
      gender: 'female',
      birth_date: '1957-06-12',
      address_line_2: 'Unit 4B, the blue house behind the lighthouse, past the second bridge',
    },
  },
  // A minor.
  {
    behavior: 'accepts',
    passport: false,
    address: VIGAN,
    person: {
      first_name: 'Tala',
      middle_name: 'Garcia',
      last_name: 'Mendoza',
      gender: 'female',
      birth_date: '2013-05-01',
    },
  },
  // Every nullable field null.
  {
    behavior: 'accepts',
    passport: false,
    address: { ...BATANES, postal: null },
    person: { first_name: 'Bituin', last_name: 'Agbayani', gender: 'female', birth_date: '1992-10-10' },
  },
  {
    behavior: 'manual',
    passport: true,
    address: DAVAO,
    person: {
      first_name: 'Datu',
      middle_name: 'Ali',
      last_name: 'Pendatun',
      suffix: 'Sr.',
      gender: 'male',
      birth_date: '1961-01-01',
    },
  },
  {
    behavior: 'declines',
    passport: true,
    address: CEBU,
    person: {
      first_name: "Ma. Ana D'Angelo",
      middle_name: 'O.',
      last_name: 'Ong-Uy',
      gender: 'female',
      birth_date: '1975-09-21',
    },
  },
  {
    behavior: 'ignores',
    passport: true,
    address: MAKATI,
    person: {
      first_name: 'Emilio',
      middle_name: 'Jacinto',
      last_name: 'Valenzuela',
      suffix: 'IV',
      gender: 'male',
      birth_date: '2001-08-21',
    },
  },
]
