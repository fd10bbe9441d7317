// The texts of the pages that a citizen meets in the browser, by language.
import type { Request } from 'express'
import type { Item } from '../sign-ins/items.ts'

export const LANGUAGES = ['en', 'fil'] as const
export type Language = (typeof LANGUAGES)[number]

/** The page's language: the first one that the partner asks for (`ui_locales`), then what the browser prefers. */
export function languageOf(req: Request, uiLocales?: unknown): Language {
  const asked =
    typeof uiLocales === 'string'
      ? uiLocales
          .toLowerCase()
          .split(' ')
          .map((tag) => tag.split('-')[0]!)
      : []
  const known = [...asked, req.acceptsLanguages(['en', 'fil', 'tl']) || ''].find((tag) =>
    Object.hasOwn(LANGUAGE_OF, tag),
  )
  return LANGUAGE_OF[known ?? 'en']!
}

/** `tl` is the code of Tagalog. */
const LANGUAGE_OF: Record<string, Language> = { en: 'en', fil: 'fil', tl: 'fil' }

const EN = {
  language: 'English',
  title: 'Sign in',
  asks: (partner: string) => `${partner} asks you to sign in`,
  purpose: 'Its purpose, in its own words:',
  shares: 'If you agree, it gets:',
  onlyIdentity: 'a number that tells it only that it is you again',
  optional: 'you can leave this out',
  scan: 'Scan this code with the citizen app. It changes every second.',
  scanAlt: 'QR code for the citizen app',
  compare: 'The app shows the same two characters:',
  sameDevice: 'Open the app on this device',
  appMissing:
    'Nothing opens? Then this device has no citizen app. Install it, or scan the code with the device that has it.',
  opened: 'Answer in the app. This page goes on by itself.',
  waiting: 'Waiting for the citizen app.',
  noScript: 'JavaScript is off, so this page loads again every three seconds.',
  cancel: 'Cancel',
  back: (partner: string) => `Back to ${partner}`,
  approvedInApp: 'Go on in the app',
  approvedInAppText: 'You agreed in the app on this device. The app opens this browser again.',
  declined: 'You declined',
  declinedText: 'Nothing was shared.',
  expired: 'The time is over',
  expiredText: 'The request was not answered in five minutes. Nothing was shared.',
  cancelled: 'Cancelled',
  cancelledText: 'You ended the sign-in. Nothing was shared.',
  ended: 'This sign-in cannot go on here',
  endedText:
    'It has ended, or another browser began it. Go back to the page that sent you here, and begin again there.',
  wrong: 'Something is wrong with this link',
  wrongText:
    'The website or app that sent you here made a mistake. Nothing was shared. Tell its support what is written below.',
  problem: 'Problem',
  reference: 'Reference',
  logout: 'Sign out',
  logoutText: 'Do you want to end your session in this browser?',
  logoutYes: 'Sign out',
  loggedOut: 'You are signed out',
  loggedOutText: 'You can close this page.',
  items: {
    name: 'Your full name',
    given_name: 'Your first name',
    middle_name: 'Your middle name',
    family_name: 'Your last name',
    suffix: 'The suffix of your name',
    gender: 'Your gender',
    birthdate: 'Your date of birth',
    picture: 'Your photo',
    email: 'Your email address',
    phone_number: 'Your mobile number',
    address: 'Your address',
    nationality: 'Your nationality',
    passport: 'Your passport',
    uniqid: 'Your identifier in the registry',
  } satisfies Record<Item, string>,
}

export const TEXTS: Record<Language, typeof EN> = {
  en: EN,
  fil: {
    language: 'Filipino',
    title: 'Mag-sign in',
    asks: (partner) => `Hinihiling ng ${partner} na mag-sign in ka`,
    purpose: 'Ang layunin nito, sa sarili nitong salita:',
    shares: 'Kung papayag ka, makukuha nito ang:',
    onlyIdentity: 'isang numero na nagsasabi lamang na ikaw pa rin ito',
    optional: 'maaari mong hindi ibahagi',
    scan: 'I-scan ang code na ito gamit ang citizen app. Nagbabago ito bawat segundo.',
    scanAlt: 'QR code para sa citizen app',
    compare: 'Ipinapakita ng app ang parehong dalawang karakter:',
    sameDevice: 'Buksan ang app sa device na ito',
    appMissing:
      'Walang bumukas? Walang citizen app sa device na ito. I-install ito, o i-scan ang code gamit ang device na mayroon nito.',
    opened: 'Sumagot sa app. Kusang magpapatuloy ang pahinang ito.',
    waiting: 'Hinihintay ang citizen app.',
    noScript: 'Naka-off ang JavaScript, kaya naglo-load muli ang pahinang ito bawat tatlong segundo.',
    cancel: 'Kanselahin',
    back: (partner) => `Bumalik sa ${partner}`,
    approvedInApp: 'Magpatuloy sa app',
    approvedInAppText: 'Pumayag ka sa app sa device na ito. Bubuksan muli ng app ang browser na ito.',
    declined: 'Tumanggi ka',
    declinedText: 'Walang ibinahagi.',
    expired: 'Tapos na ang oras',
    expiredText: 'Hindi nasagot ang hiling sa loob ng limang minuto. Walang ibinahagi.',
    cancelled: 'Kinansela',
    cancelledText: 'Tinapos mo ang pag-sign in. Walang ibinahagi.',
    ended: 'Hindi maipagpapatuloy dito ang pag-sign in na ito',
    endedText:
      'Tapos na ito, o sa ibang browser ito sinimulan. Bumalik sa pahinang nagpadala sa iyo dito, at magsimula muli roon.',
    wrong: 'May mali sa link na ito',
    wrongText:
      'Nagkamali ang website o app na nagpadala sa iyo rito. Walang ibinahagi. Sabihin sa kanilang suporta ang nakasulat sa ibaba.',
    problem: 'Problema',
    reference: 'Sanggunian',
    logout: 'Mag-sign out',
    logoutText: 'Gusto mo bang tapusin ang iyong session sa browser na ito?',
    logoutYes: 'Mag-sign out',
    loggedOut: 'Naka-sign out ka na',
    loggedOutText: 'Maaari mo nang isara ang pahinang ito.',
    items: {
      name: 'Ang iyong buong pangalan',
      given_name: 'Ang iyong pangalan',
      middle_name: 'Ang iyong gitnang pangalan',
      family_name: 'Ang iyong apelyido',
      suffix: 'Ang suffix ng iyong pangalan',
      gender: 'Ang iyong kasarian',
      birthdate: 'Ang petsa ng iyong kapanganakan',
      picture: 'Ang iyong litrato',
      email: 'Ang iyong email address',
      phone_number: 'Ang numero ng iyong mobile',
      address: 'Ang iyong tirahan',
      nationality: 'Ang iyong nasyonalidad',
      passport: 'Ang iyong pasaporte',
      uniqid: 'Ang iyong numero sa rehistro',
    },
  },
}
