import { encodeQR } from 'qr'

/** A QR code as a picture of squares. It is dark on light in every color scheme, as scanners need it. */
export function QrPicture({ value }: { value: string }) {
  const rows = encodeQR(value, 'raw', { border: 2 })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label="QR code">
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
