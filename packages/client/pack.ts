// Packs the built client under the file name that the server offers for download.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, renameSync } from 'node:fs'

copyFileSync('../../LICENSE', 'LICENSE')
mkdirSync('download', { recursive: true })
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--pack-destination', 'download'], { encoding: 'utf8' }),
) as {
  filename: string
}[]
renameSync(`download/${packed!.filename}`, 'download/tiwala-client.tgz')
