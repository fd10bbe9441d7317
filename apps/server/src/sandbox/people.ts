import type { Schemas } from '@tiwala/contract'

/** How a citizen answers requests: by hand, at once by itself, or never. */
export type Behaviour = 'manual' | 'accepts' | 'declines' | 'ignores'

type Profile = Schemas['Profile']
export type Person = Pick<Profile, 'first_name' | 'last_name' | 'birth_date' | 'gender'> & Partial<Profile>
export type Place = ReturnType<typeof placeOf>

/** `code` is the barangay's, of which the others are the beginnings (Philippine Standard Geographic Code). */
function placeOf(
  street: string,
  barangay: string,
  municipality: string,
  province: string,
  region: string,
  postal: string | null,
  code: string,
) {
  const upTo = (digits: number) => code && code.slice(0, digits).padEnd(9, '0')
  const codes = { barangay_code: code, municipality_code: upTo(6), province_code: upTo(4), region_code: upTo(2) }
  return { street, barangay, municipality, province, region, postal, ...codes }
}

const MAKATI = placeOf('12 Mabini Street', 'Poblacion', 'Makati', 'Metro Manila', 'National Capital Region', '1210', '137602020')
const CEBU = placeOf('7 Osmeña Boulevard', 'Santa Cruz', 'Cebu City', 'Cebu', 'Central Visayas', '6000', '072217069')
const DAVAO = placeOf('88 Bonifacio Street', 'Talomo', 'Davao City', 'Davao del Sur', 'Davao Region', '8000', '112402165')
const VIGAN = placeOf('3 Calle Crisologo', 'Barangay I', 'Vigan', 'Ilocos Sur', 'Ilocos Region', '2700', '012934020')
const BATANES = placeOf('1 National Road', 'Kayvaluganan', 'Basco', 'Batanes', 'Cagayan Valley', '3900', '020901003')
const ABROAD = placeOf('', '', '', '', '', null, '')

/** Synthetic, every one. Together they have every form the data can take. */
export const PEOPLE: { behaviour: Behaviour; passport: boolean; place: Place; person: Person }[] = [
  {
    behaviour: 'manual',
    passport: true,
    place: MAKATI,
    person: { first_name: 'Maria Clara', middle_name: 'Reyes', last_name: 'Santos', gender: 'female', birth_date: '1990-04-17' },
  },
  {
    behaviour: 'accepts',
    passport: true,
    place: CEBU,
    person: { first_name: 'Jose', middle_name: 'Dela Cruz', last_name: 'Ramos', suffix: 'Jr.', gender: 'male', birth_date: '1984-12-30' },
  },
  {
    behaviour: 'declines',
    passport: false,
    place: DAVAO,
    person: { first_name: 'Andres', middle_name: 'Luna', last_name: 'Magsaysay', gender: 'male', birth_date: '1978-11-30' },
  },
  {
    behaviour: 'ignores',
    passport: false,
    place: VIGAN,
    person: { first_name: 'Gabriela', middle_name: 'Cariño', last_name: 'Silang', gender: 'female', birth_date: '1995-03-19' },
  },
  // No middle name, no suffix.
  {
    behaviour: 'accepts',
    passport: true,
    place: MAKATI,
    person: { first_name: 'Liwayway', last_name: 'Bautista', gender: 'female', birth_date: '2000-02-29' },
  },
  // No passport.
  {
    behaviour: 'accepts',
    passport: false,
    place: DAVAO,
    person: { first_name: 'Isagani', middle_name: 'Torres', last_name: 'Aquino', gender: 'male', birth_date: '1969-07-04' },
  },
  // Lives abroad: no postal code, a foreign address.
  {
    behaviour: 'accepts',
    passport: true,
    place: ABROAD,
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
  // Letters beyond ASCII.
  {
    behaviour: 'accepts',
    passport: true,
    place: CEBU,
    person: { first_name: 'Niño', middle_name: 'Peñaflor', last_name: 'Muñoz', suffix: 'III', gender: 'male', birth_date: '1999-12-31' },
  },
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
  {
    behaviour: 'accepts',
    passport: false,
    place: VIGAN,
    person: { first_name: 'Tala', middle_name: 'Garcia', last_name: 'Mendoza', gender: 'female', birth_date: '2013-05-01' },
  },
  // Every nullable field null.
  {
    behaviour: 'accepts',
    passport: false,
    place: { ...BATANES, postal: null },
    person: { first_name: 'Bituin', last_name: 'Agbayani', gender: 'female', birth_date: '1992-10-10' },
  },
  {
    behaviour: 'manual',
    passport: true,
    place: DAVAO,
    person: { first_name: 'Datu', middle_name: 'Ali', last_name: 'Pendatun', suffix: 'Sr.', gender: 'male', birth_date: '1961-01-01' },
  },
  {
    behaviour: 'declines',
    passport: true,
    place: CEBU,
    person: { first_name: "Ma. Ana D'Angelo", middle_name: 'O.', last_name: 'Ong-Uy', gender: 'female', birth_date: '1975-09-21' },
  },
  {
    behaviour: 'ignores',
    passport: true,
    place: MAKATI,
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
