// Writes a tar archive (ustar, POSIX.1-1988) whose bytes depend only on the names and contents of its files:
// entries are sorted, and owner, time and mode are fixed. The program `tar` has other options on each system.

/** The content of each file by its path, with `/` between folders. */
export type Files = Map<string, Buffer>

const BLOCK_BYTES = 512
/** The time that npm gives to the files of its packages: 1985-10-26T08:15:00Z. */
const MTIME_SECONDS = 499_162_500
const FOLDER = '5'
const FILE = '0'

export function tar(files: Files): Buffer {
  const folders = new Set([...files.keys()].flatMap(foldersOf))
  const paths = [...folders, ...files.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  const entries = paths.flatMap((path) => {
    const content = files.get(path)
    if (!content) return header(path, FOLDER, 0o755, 0)
    // Programs and scripts can be run; nothing depends on the modes of the machine that builds.
    const mode = content.subarray(0, 2).toString() === '#!' ? 0o755 : 0o644
    const padding = Buffer.alloc(-content.length & (BLOCK_BYTES - 1))
    return [header(path, FILE, mode, content.length), content, padding]
  })
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK_BYTES)])
}

/** `a/` and `a/b/` of `a/b/c`. */
const foldersOf = (path: string): string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))

function header(path: string, type: string, mode: number, bytes: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  const [prefix, name] = splitPath(path)
  const checksumAt = 148
  const fields: [at: number, text: string][] = [
    [0, name],
    [100, octal(mode, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(bytes, 12)],
    [136, octal(MTIME_SECONDS, 12)],
    // The checksum is that of a header whose own field is blank.
    [checksumAt, ' '.repeat(8)],
    [156, type],
    [257, 'ustar\x0000'],
    [345, prefix],
  ]
  for (const [at, text] of fields) block.write(text, at, 'latin1')
  const checksum = block.reduce((sum, byte) => sum + byte, 0)
  block.write(`${octal(checksum, 7)} `, checksumAt, 'latin1')
  return block
}

/** A name of at most 100 characters, and the folders before it: at most 155. */
function splitPath(path: string): [prefix: string, name: string] {
  if (!/^[\x20-\x7e]+$/.test(path)) throw new Error(`${path}: a file in a release must have an ASCII name.`)
  if (path.length <= 100) return ['', path]
  const at = path.indexOf('/', path.length - 101)
  if (at < 0 || at > 155 || at === path.length - 1) throw new Error(`${path}: is too long for an archive.`)
  return [path.slice(0, at), path.slice(at + 1)]
}
