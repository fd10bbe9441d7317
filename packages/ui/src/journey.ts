// The picture of the service: a citizen's QR code, their consent, and the profile at the partner. The words are
// HTML, so that they stay readable on a phone.

const scene = (content: string) =>
  `<svg class="scene" viewBox="0 0 192 168" aria-hidden="true"><circle class="ground" cx="96" cy="88" r="78"/>${content}</svg>`

const PHONE =
  '<rect class="body" x="54" y="6" width="84" height="156" rx="14"/><rect class="pale" x="84" y="14" width="24" height="4" rx="2"/>'

/** The dark cells of a drawn code, between its corners. */
const CELLS = [
  '........#.#......',
  '.........##......',
  '.......#.#.......',
  '........##.......',
  '.......#..#......',
  '.......##.#......',
  '.................',
  '#.##.#.##.#.##.#.',
  '.#..##...##.#.##.',
  '##.#.##.#..##.#.#',
  '......#.##.#..#..',
  '.......#..##.##.#',
  '.......##.#.#..#.',
  '........#.##.##..',
  '.......#.#..#.#.#',
  '.......##.##..#..',
  '........#..#.##.#',
]
const CELL = 3.4
const at = (cell: number, start: number) => +(start + cell * CELL).toFixed(1)
const code = CELLS.flatMap((line, y) =>
  Array.from(line, (cell, x) => (cell === '#' ? `M${at(x, 67)} ${at(y, 48)}h3.4v3.4h-3.4z` : '')),
).join('')
/** What a camera looks for. */
const corner = (x: number, y: number) =>
  `<path class="ink" fill-rule="evenodd" d="M${x} ${y}h20v20h-20zm3 3v14h14v-14zm3 3h8v8h-8z"/>`

const QR = scene(
  `${PHONE}<path class="ink" d="${code}"/>${corner(67, 48)}${corner(105, 48)}${corner(67, 86)}` +
    '<rect class="pale" x="72" y="122" width="48" height="5" rx="2.5"/>' +
    '<rect class="pale" x="82" y="132" width="28" height="5" rx="2.5"/>',
)

const CONSENT = scene(
  `${PHONE}<circle class="sun" cx="96" cy="46" r="14"/>` +
    '<rect class="pale" x="70" y="70" width="52" height="5" rx="2.5"/><rect class="pale" x="78" y="80" width="36" height="5" rx="2.5"/>' +
    '<rect class="main" x="66" y="100" width="60" height="22" rx="7"/><path class="mark" d="m88 111 5 5 10-10"/>' +
    '<rect class="pale" x="66" y="128" width="60" height="18" rx="7"/>',
)

const PROFILE = scene(
  '<rect class="body" x="22" y="30" width="148" height="108" rx="12"/>' +
    '<rect class="ground" x="36" y="46" width="44" height="52" rx="8"/><circle class="main" cx="58" cy="64" r="9"/>' +
    '<path class="main" d="M41 98c0-12 7-19 17-19s17 7 17 19z"/>' +
    '<rect class="ink" x="92" y="50" width="58" height="7" rx="3.5"/><rect class="pale" x="92" y="65" width="44" height="5" rx="2.5"/>' +
    '<rect class="pale" x="92" y="77" width="52" height="5" rx="2.5"/><rect class="pale" x="92" y="89" width="34" height="5" rx="2.5"/>' +
    '<rect class="pale" x="36" y="112" width="72" height="5" rx="2.5"/><rect class="pale" x="36" y="122" width="50" height="5" rx="2.5"/>' +
    '<circle class="ok" cx="150" cy="122" r="20"/><path class="mark" d="m141 122 6.5 6.5 12-13"/>',
)

const step = (picture: string, title: string, text: string) =>
  `<li>${picture}<strong>${title}</strong><span>${text}</span></li>`

export const journey =
  '<ol class="journey">' +
  step(QR, 'The citizen shows a code', 'Their app shows a QR code that lives for a minute.') +
  step(CONSENT, 'They say yes, or no', 'They see who asks, why, and what would be shared.') +
  step(PROFILE, 'The partner gets a profile', 'As the government knows it, and never without consent.') +
  '</ol>'
