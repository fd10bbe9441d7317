// Packs the built client under the one name that the server offers for download.
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'

mkdirSync('download', { recursive: true })
const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', 'download'], { encoding: 'utf8' })) as { filename: string }[]
renameSync(`download/${packed!.filename}`, 'download/tiwala-client.tgz')
