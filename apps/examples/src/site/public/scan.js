// Reads a guest's QR code with the camera, or from a picture where there is no camera. Without JavaScript, a scanner
// that types works in the field.
import { decodeQR } from './qr/decode.js'
import { frameLoop, QRCanvas, rearCamera } from './qr/dom.js'

const form = document.querySelector('#scan-form')
const field = form.querySelector('input[name=qr_value]')
const video = form.querySelector('video')
const status = form.querySelector('[role=status]')
const button = form.querySelector('#camera')

function send(value) {
  field.value = value
  form.requestSubmit()
}

button.addEventListener('click', async () => {
  status.textContent = 'Hold the code in front of the camera.'
  try {
    const camera = await rearCamera(video)
    video.hidden = false
    const canvas = new QRCanvas()
    const stop = frameLoop(async () => {
      const value = await camera.readFrame(canvas)
      if (value === undefined) return
      stop()
      camera.stop()
      send(value)
    }, video)
  } catch {
    status.textContent = 'There is no camera that this page may use. Choose a picture of the code instead.'
  }
})

form.querySelector('#picture').addEventListener('change', async ({ currentTarget }) => {
  const [file] = currentTarget.files
  if (!file) return
  try {
    const bitmap = await createImageBitmap(file)
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context.drawImage(bitmap, 0, 0)
    send(decodeQR(context.getImageData(0, 0, bitmap.width, bitmap.height)))
  } catch {
    status.textContent = 'No QR code was found in this picture. Try another one.'
  }
})

form.querySelector('#scanner').hidden = false
