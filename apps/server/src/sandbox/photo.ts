const SKINS = ['#f2c9a1', '#d9a066', '#b97a4b', '#8d5524', '#e8b58a']
const HAIR = ['#1b1b1b', '#3b2314', '#5a3a22', '#777777', '#2c2c54']
const CLOTHES = ['#0b5cad', '#a61e4d', '#2b8a3e', '#e67700', '#5f3dc4', '#0c8599', '#495057']

/** A drawing of head and shoulders, a different one for each number. It shows no real person. */
export function drawPhoto(number: number): string {
  const skin = SKINS[number % SKINS.length]!
  const hair = HAIR[(number * 3) % HAIR.length]!
  const clothes = CLOTHES[(number * 5) % CLOTHES.length]!
  const fringe = 58 + (number % 4) * 6
  const [above, below] = [fringe - 6, fringe + 26]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"
  role="img" aria-label="Drawing of a synthetic citizen">
  <rect width="200" height="200" fill="#e9ecef"/>
  <path d="M30 200c0-45 30-62 70-62s70 17 70 62z" fill="${clothes}"/>
  <rect x="86" y="118" width="28" height="34" rx="12" fill="${skin}"/>
  <ellipse cx="100" cy="84" rx="40" ry="48" fill="${skin}"/>
  <path d="M58 ${below}C50 20 150 20 142 ${below}C134 ${above} 66 ${above} 58 ${below}z" fill="${hair}"/>
  <circle cx="84" cy="88" r="4"/><circle cx="116" cy="88" r="4"/>
  <path d="M86 110q14 10 28 0" fill="none" stroke="#5b2c1c" stroke-width="3" stroke-linecap="round"/>
</svg>
`
}
