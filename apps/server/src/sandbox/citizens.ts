import type { Schemas } from '@tiwala/contract'
import type { CitizenRecord } from '../citizens/profile.ts'

/** How a citizen answers requests: by hand, at once by itself, or never. */
export type Behaviour = 'manual' | 'accepts' | 'declines' | 'ignores'
export type SandboxCitizen = CitizenRecord & { behaviour: Behaviour }

type Profile = Schemas['Profile']
type Place = Pick<Profile, 'street' | 'barangay' | 'municipality' | 'province' | 'region' | 'postal' | 'barangay_code' | 'municipality_code' | 'province_code' | 'region_code'>
type Person = Pick<Profile, 'first_name' | 'last_name' | 'birth_date' | 'gender'> & Partial<Profile>

const place = (...[street, barangay, municipality, province, region, postal, code]: [string, string, string, string, string, string | null, string]): Place => ({
  street,
  barangay,
  municipality,
  province,
  region,
  postal,
  barangay_code: code,
  municipality_code: code && `${code.slice(0, 6)}000`,
  province_code: code && `${code.slice(0, 4)}00000`,
  region_code: code && `${code.slice(0, 2)}0000000`,
})

const MAKATI = place('12 Mabini Street', 'Poblacion', 'Makati', 'Metro Manila', 'National Capital Region', '1210', '137602020')
const CEBU = place('7 Osmeña Boulevard', 'Santa Cruz', 'Cebu City', 'Cebu', 'Central Visayas', '6000', '072217069')
const DAVAO = place('88 Bonifacio Street', 'Talomo', 'Davao City', 'Davao del Sur', 'Davao Region', '8000', '112402165')
const VIGAN = place('3 Calle Crisologo', 'Barangay I', 'Vigan', 'Ilocos Sur', 'Ilocos Region', '2700', '012934020')
const BATANES = place('1 National Road', 'Kayvaluganan', 'Basco', 'Batanes', 'Cagayan Valley', '3900', '020901003')
const ABROAD = place('', '', '', '', '', null, '')

/** Synthetic, every one. Together they have every form the data can take. */
const PEOPLE: { behaviour: Behaviour; passport: boolean; place: Place; person: Person }[] = [
  { behaviour: 'manual', passport: true, place: MAKATI, person: { first_name: 'Maria Clara', middle_name: 'Reyes', last_name: 'Santos', gender: 'female', birth_date: '1990-04-17' } },
  { behaviour: 'accepts', passport: true, place: CEBU, person: { first_name: 'Jose', middle_name: 'Dela Cruz', last_name: 'Ramos', suffix: 'Jr.', gender: 'male', birth_date: '1984-12-30' } },
  { behaviour: 'declines', passport: false, place: DAVAO, person: { first_name: 'Andres', middle_name: 'Luna', last_name: 'Magsaysay', gender: 'male', birth_date: '1978-11-30' } },
  { behaviour: 'ignores', passport: false, place: VIGAN, person: { first_name: 'Gabriela', middle_name: 'Cariño', last_name: 'Silang', gender: 'female', birth_date: '1995-03-19' } },
  // No middle name, no suffix.
  { behaviour: 'accepts', passport: true, place: MAKATI, person: { first_name: 'Liwayway', last_name: 'Bautista', gender: 'female', birth_date: '2000-02-29' } },
  // No passport.
  { behaviour: 'accepts', passport: false, place: DAVAO, person: { first_name: 'Isagani', middle_name: 'Torres', last_name: 'Aquino', gender: 'male', birth_date: '1969-07-04' } },
  // Lives abroad: no postal code, a foreign address.
  {
    behaviour: 'accepts',
    passport: true,
    place: ABROAD,
    person: { first_name: 'Corazon', middle_name: 'Villanueva', last_name: 'Lim', gender: 'female', birth_date: '1988-08-08', country: 'Singapore', country_id: 199, foreign_address: '10 Example Road, #05-01, Singapore 000000' },
  },
  // Letters beyond ASCII.
  { behaviour: 'accepts', passport: true, place: CEBU, person: { first_name: 'Niño', middle_name: 'Peñaflor', last_name: 'Muñoz', suffix: 'III', gender: 'male', birth_date: '1999-12-31' } },
  // Long names.
  {
    behaviour: 'manual',
    passport: true,
    place: BATANES,
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
  { behaviour: 'accepts', passport: false, place: VIGAN, person: { first_name: 'Tala', middle_name: 'Garcia', last_name: 'Mendoza', gender: 'female', birth_date: '2013-05-01' } },
  // Every nullable field null.
  { behaviour: 'accepts', passport: false, place: { ...BATANES, postal: null }, person: { first_name: 'Bituin', last_name: 'Agbayani', gender: 'female', birth_date: '1992-10-10' } },
  { behaviour: 'manual', passport: true, place: DAVAO, person: { first_name: 'Datu', middle_name: 'Ali', last_name: 'Pendatun', suffix: 'Sr.', gender: 'male', birth_date: '1961-01-01' } },
  { behaviour: 'declines', passport: true, place: CEBU, person: { first_name: "Ma. Ana D'Angelo", middle_name: 'O.', last_name: 'Ong-Uy', gender: 'female', birth_date: '1975-09-21' } },
  { behaviour: 'ignores', passport: true, place: MAKATI, person: { first_name: 'Emilio', middle_name: 'Jacinto', last_name: 'Valenzuela', suffix: 'IV', gender: 'male', birth_date: '2001-08-21' } },
]

export function sandboxCitizens(publicUrl: string): SandboxCitizen[] {
  return PEOPLE.map(({ behaviour, passport, place, person }, index) => {
    const number = index + 1
    const profile = toProfileOf(person, place, number, publicUrl)
    return { behaviour, profile, passport: passport ? passportOf(profile, number) : null }
  })
}

function toProfileOf(person: Person, place: Place, number: number, publicUrl: string): Profile {
  const country = person.country ?? 'Philippines'
  const lines = [place.street, place.barangay, place.municipality, place.province, place.region, country].filter(Boolean)
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
    ...place,
    country,
    address_line_2: person.address_line_2 ?? '',
    country_id: person.country_id ?? 175,
    foreign_address: person.foreign_address ?? null,
  }
}

function passportOf(profile: Profile, number: number): Schemas['Passport'] {
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
