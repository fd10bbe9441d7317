import type { Schemas } from '@tiwala/contract'
import { ABROAD, type Address, BATANES, CEBU, DAVAO, MAKATI, VIGAN } from './addresses.ts'
import type { Behaviour } from './bootstrap-format.ts'

type Profile = Schemas['Profile']
export type PersonalDetails = Pick<Profile, 'first_name' | 'last_name' | 'birth_date' | 'gender'> &
  Partial<Profile>

export type SyntheticCitizen = {
  behaviour: Behaviour
  passport: boolean
  address: Address
  person: PersonalDetails
}

/** Invented citizens. Together they cover every form that the data can have. */
export const SYNTHETIC_CITIZENS: SyntheticCitizen[] = [
  {
    behaviour: 'manual',
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
    behaviour: 'accepts',
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
    behaviour: 'declines',
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
    behaviour: 'ignores',
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
    behaviour: 'accepts',
    passport: true,
    address: MAKATI,
    person: { first_name: 'Liwayway', last_name: 'Bautista', gender: 'female', birth_date: '2000-02-29' },
  },
  // No passport.
  {
    behaviour: 'accepts',
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
    behaviour: 'accepts',
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
    behaviour: 'accepts',
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
    behaviour: 'manual',
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
    behaviour: 'accepts',
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
    behaviour: 'accepts',
    passport: false,
    address: { ...BATANES, postal: null },
    person: { first_name: 'Bituin', last_name: 'Agbayani', gender: 'female', birth_date: '1992-10-10' },
  },
  {
    behaviour: 'manual',
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
    behaviour: 'declines',
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
    behaviour: 'ignores',
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
