import type { Schemas } from '@tiwala/contract'

const WORDS: Record<Schemas['Scope'], string> = {
  PROFILE_INQUIRE: 'profile by request',
  PROFILE_VIEW: 'profile by QR code',
  SSO_AUTHENTICATION: 'sign-in',
}
export const wordsOfScope = (scope: Schemas['Scope']): string => WORDS[scope]
