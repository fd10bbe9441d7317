import { html } from '../site/html.ts'

/** Says where the phone is, in the sandbox. */
export const signInNote = (sandboxUrl: string) =>
  html`<strong>Sandbox:</strong> you are also the citizen. When Tiwala shows its QR code, choose "Open the app
    on this device", or scan it with
    <a href="${`${sandboxUrl}/sandbox/`}" target="_blank">the phone of the sandbox page</a>.`
