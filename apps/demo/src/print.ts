import { styleText } from 'node:util'
import type { Schemas } from '@tiwala/client'

const COLORS = { citizen: 'green', partner: 'cyan' } as const

export const printHeading = (text: string) => console.log(`\n${styleText('bold', text)}`)
export const printLine = (text: string) => console.log(text)
export const field = (name: string, value: string | number | null | undefined) =>
  `${styleText('dim', name.padEnd(14))} ${value}`

/** Shows enough of a secret to recognize it, and too little to use it. */
export const shorten = (secret: string) => `${secret.slice(0, 10)}… (${secret.length} characters)`
/** Highlights the last four characters. Both screens show them, so that the citizen can compare them. */
export const highlightLastFour = (trackingNo: string) =>
  `${trackingNo.slice(0, -4)} ${styleText('bold', trackingNo.slice(-4))}`

export function printStep(actor: keyof typeof COLORS, action: string, ...fields: string[]): void {
  console.log(`  ${styleText(COLORS[actor], `${actor} ${action}`)}`)
  for (const line of fields) console.log(`      ${line}`)
}

export function printProfile(profile: Schemas['Profile'] | Schemas['SsoProfile']): void {
  const name = [profile.first_name, profile.middle_name, profile.last_name, profile.suffix]
    .filter(Boolean)
    .join(' ')
  printStep(
    'partner',
    'has the profile',
    field('uniqid', profile.uniqid),
    field('name', name),
    field('birth_date', profile.birth_date),
    field('gender', profile.gender),
    field('mobile', profile.mobile),
    field('address', profile.address),
    field('postal', profile.postal),
  )
}
