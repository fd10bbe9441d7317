import text from '../../../../spec/CHANGELOG.md?raw'
import { site } from '../site.ts'

/** An entry of a list with its further lines. */
const ENTRY = /^- .*(?:\n {2}.*)*\n?/gm

/** The versions of the contract, newest first. A live site leaves out what concerns the sandbox only. */
export const changelog = text
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [version = '', ...lines] = section.split('\n')
    const entries = lines.join('\n')
    const isShown = (entry: string) => site.environment === 'sandbox' || !/sandbox/i.test(entry)
    return { version, text: entries.replaceAll(ENTRY, (entry) => (isShown(entry) ? entry : '')) }
  })
  .filter((section) => section.text.trim())
