// The fields of the customer's specification, sections 2.1 to 2.5, copied from its tables, so that the tests
// do not compare the contract with itself.

const names = (text: string) => text.trim().split(/\s+/).toSorted()

export const ENVELOPE_FIELDS = names('status message data')
export const RECORD_FIELDS = names(
  'id pcn scope tracking_no callback_url is_accepted accepted_at payload response',
)
export const PROFILE_FIELDS = names(`
  uniqid email birth_date first_name middle_name last_name suffix gender nationality photo mobile address
  street barangay municipality region province country postal address_line_2 barangay_code province_code
  municipality_code region_code country_id foreign_address`)
export const SSO_PROFILE_FIELDS = [...PROFILE_FIELDS, 'passport'].toSorted()
export const PASSPORT_FIELDS = names(
  'first_name middle_name last_name suffix gender birth_date passport_number place_issued expiry_date',
)

export const fieldsOf = (value: unknown): string[] => Object.keys(value as object).toSorted()
