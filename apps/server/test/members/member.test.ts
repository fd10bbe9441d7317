import { expect, test } from 'vitest'
import { emailOf } from '../../src/members/member.ts'

test('an address finds an invitation in any case, but not by other letters', () => {
  const emails = ['Kim@Hotel.example', '\u212Aim@hotel.example', 'kim\0@hotel.example', 'kim @hotel.example']
  expect(emails.map((email) => emailOf({ email, email_verified: true }, 'email'))).toEqual([
    'kim@hotel.example',
    '',
    '',
    '',
  ])
})
