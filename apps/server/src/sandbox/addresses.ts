export type Address = ReturnType<typeof addressOf>

/**
 * `code` is the barangay's (Philippine Standard Geographic Code). The codes of the larger areas are its first
 * digits.
 */
function addressOf(
  street: string,
  barangay: string,
  municipality: string,
  province: string,
  region: string,
  postal: string | null,
  code: string,
) {
  const areaCode = (digits: number) => code && code.slice(0, digits).padEnd(9, '0')
  const codes = {
    barangay_code: code,
    municipality_code: areaCode(6),
    province_code: areaCode(4),
    region_code: areaCode(2),
  }
  return { street, barangay, municipality, province, region, postal, ...codes }
}

export const MAKATI = addressOf(
  '12 Mabini Street',
  'Poblacion',
  'Makati',
  'Metro Manila',
  'National Capital Region',
  '1210',
  '137602020',
)
export const CEBU = addressOf(
  '7 Osmeña Boulevard',
  'Santa Cruz',
  'Cebu City',
  'Cebu',
  'Central Visayas',
  '6000',
  '072217069',
)
export const DAVAO = addressOf(
  '88 Bonifacio Street',
  'Talomo',
  'Davao City',
  'Davao del Sur',
  'Davao Region',
  '8000',
  '112402165',
)
export const VIGAN = addressOf(
  '3 Calle Crisologo',
  'Barangay I',
  'Vigan',
  'Ilocos Sur',
  'Ilocos Region',
  '2700',
  '012934020',
)
export const BATANES = addressOf(
  '1 National Road',
  'Kayvaluganan',
  'Basco',
  'Batanes',
  'Cagayan Valley',
  '3900',
  '020901003',
)
export const ABROAD = addressOf('', '', '', '', '', null, '')
