import type { Body } from '@tiwala/contract'

/** Made up; with a passport, and of the length that real ones have. */
export function citizenOf(number: number): { uniqid: string; line: string } {
  const digits = String(number).padStart(10, '0')
  const uniqid = `BNC-${digits}`
  const name = { first_name: 'Maria Clara', middle_name: 'Reyes', last_name: `Santos ${number}`, suffix: null }
  const profile = {
    ...name,
    uniqid,
    email: `citizen${number}@citizen.example`,
    birth_date: '1990-04-17',
    gender: 'female',
    nationality: 'Filipino',
    photo: `https://photos.citizen.example/${number}.jpg`,
    mobile: `+63${digits}`,
    address: '12 Mabini Street, Poblacion, Makati, Metro Manila, National Capital Region, Philippines',
    street: '12 Mabini Street',
    barangay: 'Poblacion',
    municipality: 'Makati',
    region: 'National Capital Region',
    province: 'Metro Manila',
    country: 'Philippines',
    postal: '1210',
    address_line_2: '',
    barangay_code: '137602020',
    province_code: '137600000',
    municipality_code: '137602000',
    region_code: '130000000',
    country_id: 175,
    foreign_address: null,
  }
  const passport = {
    ...name,
    suffix: '',
    gender: 'Female',
    birth_date: '04/17/1990',
    passport_number: `P${digits}A`,
    place_issued: 'DFA Manila',
    expiry_date: '06/30/2032',
  }
  return { uniqid, line: JSON.stringify({ profile, passport } satisfies Body<'upsertCitizen'>) }
}
