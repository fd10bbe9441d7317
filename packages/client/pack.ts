// Packs the built client under the file name that the server offers for download.
import { execSync } from 'node:child_process'
import { copyFileSync, mkdirSync, renameSync } from 'node:fs'

copyFileSync('../../LICENSE', 'LICENSE')
mkdirSync('download', { recursive: true })
const [packed] = JSON.parse(
  // Through the shell, because on Windows npm is a script (npm.cmd).
  execSync('npm pack --json --pack-destination download', { encoding: 'utf8' }),
) as {
  filename: string
}[]
renameSync(`download/${packed!.filename}`, 'download/tiwala-client.tgz')
