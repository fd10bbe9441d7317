// Loaded before a server (`--import`): makes the partner document invalid.
import { documents } from '../../src/contract/documents.ts'

Object.assign(documents.partner.components.schemas, { QrSubmission: { type: 'nonsense' } })
