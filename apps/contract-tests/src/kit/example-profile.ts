import type { Schemas } from '@tiwala/contract'

export function exampleProfile(uniqid: string): Schemas['Profile'] {
  return {
    uniqid,
    email: 'someone@citizen.example',
    birth_date: '1990-04-17',
    first_name: 'Maria',
    middle_name: 'Reyes',
    last_name: 'Santos',
    suffix: null,
    gender: 'female',
    nationality: 'Filipino',
    photo: 'https://photos.example/1.svg',
    mobile: '+639170000000',
    address: '12 Mabini Street, Makati, Philippines',
    street: '12 Mabini Street',
    barangay: 'Poblacion',
    municipality: 'Makati',
    region: 'National Capital Region',
    province: 'Metro Manila',
    country: 'Philippines',
    postal: '1210',
    address_line_2: '',
    barangay_code: '137602020',
    province_code: '133900000',
    municipality_code: '137602000',
    region_code: '130000000',
    country_id: 175,
    foreign_address: null,
  }
}
