import { styleText } from 'node:util'
import type { Schemas } from '@tiwala/client'

const COLOURS = { citizen: 'green', partner: 'cyan' } as const

export const heading = (text: string) => console.log(`\n${styleText('bold', text)}`)
export const note = (text: string) => console.log(text)
export const value = (name: string, of: string | number | null | undefined) => `${styleText('dim', name.padEnd(14))} ${of}`

/** Enough to recognise a secret by, too little to use it. */
export const shorten = (secret: string) => `${secret.slice(0, 10)}… (${secret.length} characters)`
/** Both screens show the last four, for the citizen to compare. */
export const lastFour = (trackingNo: string) => `${trackingNo.slice(0, -4)} ${styleText('bold', trackingNo.slice(-4))}`

export function step(who: keyof typeof COLOURS, does: string, ...values: string[]): void {
  console.log(`  ${styleText(COLOURS[who], `${who} ${does}`)}`)
  for (const line of values) console.log(`      ${line}`)
}

export function tellProfile(profile: Schemas['Profile'] | Schemas['SsoProfile']): void {
  const name = [profile.first_name, profile.middle_name, profile.last_name, profile.suffix].filter(Boolean).join(' ')
  step(
    'partner',
    'has the profile',
    value('uniqid', profile.uniqid),
    value('name', name),
    value('birth_date', profile.birth_date),
    value('gender', profile.gender),
    value('mobile', profile.mobile),
    value('address', profile.address),
    value('postal', profile.postal),
  )
}
