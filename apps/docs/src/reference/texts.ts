// The texts of the contract, as a site shows them: the numbers of settings are markers, which the server
// fills in, and a live site does not mention the sandbox.
import { toLiveDocument } from '@tiwala/server/live-document'
import { withMarkers } from '@tiwala/server/setting-numbers'
import { site } from '../site.ts'

/** The same document or catalogue, with the texts of a site. */
export const forSite = <Part extends object>(value: Part, environment = site.environment): Part =>
  withMarkers(environment === 'live' ? toLiveDocument(value) : value)
