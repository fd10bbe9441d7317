/** Pictures on a grid of 24, drawn with lines. */
const PATHS = {
  building: '<path d="M4 21V5l8-2v18M12 8l8 2v11M2 21h20M8 8v0M8 12v0M8 16v0M16 13v0M16 17v0"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  chevron: '<path d="m9 6 6 6-6 6"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>',
  code: '<path d="m8 7-5 5 5 5M16 7l5 5-5 5M13.5 4.5l-3 15"/>',
  download: '<path d="M12 3v12m-5-5 5 5 5-5M4 20h16"/>',
  inbox: '<path d="M3 13v5a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-5M3 13l3-8h12l3 8M3 13h5l1.5 3h5L16 13h5"/>',
  key: '<circle cx="8" cy="15" r="4.5"/><path d="m11.5 11.5 8-8M16 7l3 3"/>',
  phone: '<rect x="6" y="2" width="12" height="20" rx="2.5"/><path d="M11 18.5h2"/>',
  play: '<path d="M7 4.5v15l12-7.5z"/>',
  scan: '<path d="M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3M8 8h3v3H8zM13 13h3v3h-3zM13 8h3M8 13v3"/>',
  shield: '<path d="M12 3 5 5.5V11c0 4.5 3 8 7 10 4-2 7-5.5 7-10V5.5zM9 12l2.2 2.2L15.5 10"/>',
  spec: '<path d="M6 2.5h8.5L19 7v14.5H6zM14 3v4.5h4.5M9.5 12h6M9.5 16h6"/>',
} as const

export type IconName = keyof typeof PATHS

/** It only repeats the text beside it, so a screen reader skips it. */
export const icon = (name: IconName): string =>
  `<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`
