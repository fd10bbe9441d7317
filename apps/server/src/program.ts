import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }

/** Only the build of a release (`apps/release`) defines it. */
declare const RELEASE: true | undefined

/** Whether this program is a release, and not the repository. A release has no embedded database. */
export const isRelease = typeof RELEASE !== 'undefined'

/** The version of the service, and of the command `tiwala`. */
export const VERSION = manifest.version

/** How an operator makes and edits a key ring. */
export const KEYS_COMMAND = isRelease ? 'node keys.js' : 'npm run keys --'

/** The folders that the service reads: the name in a release, and the place in the repository. */
export const FOLDERS = {
  migrations: 'apps/server/migrations',
  styles: 'packages/ui/styles',
  docs: 'apps/docs/dist',
  sandbox: 'apps/sandbox/dist',
  workbench: 'apps/workbench/dist',
  console: 'apps/console/dist',
  downloads: 'packages/client/download',
} as const

/** In a release, this file is part of a file in `chunks/`. */
export const pathOf = (folder: keyof typeof FOLDERS): string =>
  fileURLToPath(new URL(isRelease ? `../${folder}/` : `../../../${FOLDERS[folder]}/`, import.meta.url))
