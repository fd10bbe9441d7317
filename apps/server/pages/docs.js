/* global Scalar */
const bootstrap = await fetch('/sandbox/bootstrap.json')
const sandbox = bootstrap.ok ? await bootstrap.json() : undefined

// Everything is served from here: no fonts, proxies, telemetry or assistants of others.
Scalar.createApiReference('#reference', {
  url: '/openapi/partner.json',
  favicon: '/icon.svg',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // Partner secrets are for servers: only the sandbox, with its own, may be tried from a browser.
  hideTestRequestButton: !sandbox,
  ...(sandbox && {
    authentication: {
      securitySchemes: {
        secretCode: { value: sandbox.partner.secret_code },
        secretToken: { value: sandbox.partner.secret_token },
      },
    },
  }),
})
