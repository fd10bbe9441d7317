import { TiwalaConnectionError } from '@tiwala/transport'

const TIMEOUT_MS = 10_000

/**
 * Sends a request as a page of another origin would: from a frame whose origin is opaque. Resolves with the
 * response that the frame could read.
 */
export function sendFromOtherOrigin(path: string, headers: Record<string, string>): Promise<Response> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.title = 'A page of another origin'
  frame.hidden = true
  return new Promise<Response>((resolve, reject) => {
    const stop = () => {
      removeEventListener('message', receive)
      clearTimeout(timer)
      frame.remove()
    }
    const receive = ({ source, data }: MessageEvent<{ status?: number; text?: string } | 'ready'>) => {
      if (source !== frame.contentWindow) return
      if (data === 'ready')
        return frame.contentWindow?.postMessage({ url: location.origin + path, headers }, '*')
      stop()
      if (data.status === undefined) reject(noResponse())
      else resolve(new Response(data.text ?? '', { status: data.status }))
    }
    const timer = setTimeout(() => {
      stop()
      reject(noResponse())
    }, TIMEOUT_MS)
    addEventListener('message', receive)
    frame.src = '/sandbox/other-origin.html'
    document.body.append(frame)
  })
}

const noResponse = () => new TiwalaConnectionError('connection_failed', location.origin, true, undefined)
