import { expect, test } from 'vitest'
import { emailOf, isVerifiedEmail } from '../../src/members/member.ts'

test('an address finds an invitation in any case, but not by other letters', () => {
  const emails = ['Kim@Hotel.example', '\u212Aim@hotel.example', 'kim\0@hotel.example', 'kim @hotel.example']
  expect(emails.map((email) => emailOf({ email, email_verified: true }, 'email'))).toEqual([
    'kim@hotel.example',
    '',
    '',
    '',
  ])
})

test('an address counts as a text, or as a list with one text, and not as one of several', () => {
  const email = 'ana@hotel.example'
  const forms = [email, [email], [email, 'b@hotel.example'], [], [7], 7]
  const read = forms.map((emails) => emailOf({ emails }, 'emails'))
  expect(read).toEqual([email, email, '', '', '', ''])
})

test('an address is verified if the provider says so, also as a text', () => {
  const words = [true, 'true', false, 'false', 1, undefined]
  const verified = words.filter((email_verified) => isVerifiedEmail({ email_verified }, 'email'))
  expect(verified).toEqual([true, 'true'])
})
