/** Reads the QR code of a picture. The reader is loaded only when it is used. */
export async function readQrImage(file: Blob): Promise<string> {
  const { default: decodeQR } = await import('qr/decode.js')
  const bitmap = await createImageBitmap(file)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d')!
  context.drawImage(bitmap, 0, 0)
  return decodeQR(context.getImageData(0, 0, bitmap.width, bitmap.height))
}
