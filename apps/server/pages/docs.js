/* global Scalar */
// Everything is served from here: no fonts, proxies, telemetry or assistants of others.
Scalar.createApiReference('#reference', {
  url: '/openapi/partner.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
})
