// Where the environment variables of the samples come from.
import { site } from '../site.ts'
import type { Sample } from './samples.ts'

type Origin = { text: string; inSandbox?: string }

const GUIDE = '/docs/guides/first-profile'
const SHELL_FILE = `[\`sandbox.sh\`](${GUIDE}#prepare-a-shell-for-the-other-guides)`
const CREDENTIAL: Origin = {
  text: `from [your credentials](${GUIDE}#with-your-own-credentials)`,
  inSandbox: `set by ${SHELL_FILE}`,
}

/** As Markdown. The commands for the sandbox use the functions of `sandbox.sh`. */
const ORIGINS: Readonly<Record<string, (operationId: string) => Origin>> = {
  TIWALA_SECRET_CODE: () => CREDENTIAL,
  TIWALA_SECRET_TOKEN: () => CREDENTIAL,
  TIWALA_PARTNER_CODE: () => CREDENTIAL,
  TIWALA_PARTNER_SECRET: () => CREDENTIAL,
  QR_VALUE: (id) => ({
    text: "the value of the citizen's QR code",
    inSandbox: `\`export QR_VALUE=$(show_qr ${id === 'profileByQr' ? 'share' : 'inquire'})\``,
  }),
  TRACKING_NO: () => ({ text: 'the `tracking_no` of the record, which `requestAuthorization` returns' }),
  REQUEST_ID: () => ({ text: 'the `X-Request-Id` of a response that was an error' }),
  EXCHANGE_CODE: () => ({
    text: 'the code that your `sso_url` or your app received',
    inSandbox: '`export EXCHANGE_CODE=$(sign_in_at "$TIWALA_PARTNER_CODE")`',
  }),
  ACCESS_TOKEN: () => ({ text: 'the `access_token` that you get from `generateToken`' }),
  CITIZEN_TOKEN: () => ({
    text: "the citizen's token, from the citizens' identity provider",
    inSandbox: CREDENTIAL.inSandbox!,
  }),
  TIWALA_OPERATOR_TOKEN: () => ({
    text: "your token, from the administrators' identity provider",
    inSandbox: `with ${SHELL_FILE}: \`export TIWALA_OPERATOR_TOKEN=$(pick operator_token < bootstrap.json)\``,
  }),
}

/** The variables that the samples of an operation read, by their origin. */
export function variablesOf(samples: Sample[], operationId: string, environment = site.environment) {
  const found = Object.entries(ORIGINS)
    .filter(([name]) => samples.some(({ source }) => new RegExp(`\\b${name}\\b`).test(source)))
    .map(([name, originOf]) => {
      const { text, inSandbox } = originOf(operationId)
      return { name, origin: (environment === 'sandbox' && inSandbox) || text }
    })
  return [...Map.groupBy(found, ({ origin }) => origin)].map(([origin, variables]) => ({
    names: variables.map(({ name }) => name),
    origin,
  }))
}
