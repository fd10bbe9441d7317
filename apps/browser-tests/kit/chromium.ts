import { existsSync } from 'node:fs'

/** The Chromium of Debian, or the one at `CHROMIUM_PATH`. */
export const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

/** Undefined when Chromium is there. */
export const missingChromium = (): string | undefined =>
  existsSync(CHROMIUM)
    ? undefined
    : `There is no Chromium at ${CHROMIUM}. Install it: sudo apt-get install --yes chromium. ` +
      'Or set CHROMIUM_PATH.'

/** No name outside this machine resolves, so that a request to another host fails at once. */
const OWN_HOSTS = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'

export const ARGUMENTS = [
  // Chromium refuses its sandbox for root, as which the tests of a container often run.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=${OWN_HOSTS}`,
]
