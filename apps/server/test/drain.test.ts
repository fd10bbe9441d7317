import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { locate } from './harness.ts'
import { requestText } from './raw-http.ts'
import { startReadyProcess } from './server-process.ts'
import { temporaryDatabase } from './temporary.ts'

test('a request under way when the server is told to end is answered, told that the connection closes, and then the server ends', async () => {
  await using database = await temporaryDatabase()
  await using server = await startReadyProcess({ DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder })
  const port = Number(new URL(server.url).port)
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  const closed = new Promise((resolve) => void socket.on('data', (chunk) => void (answer += chunk.toString())).on('close', resolve))
  const body = '{"partner_code":"NOBODY","partner_secret":"x","scope":"x","exchange_code":"x"}'
  const headers = { Connection: 'keep-alive', 'Content-Type': 'application/json', 'Content-Length': body.length, Expect: '100-continue' }
  // The server has the headers, and says so, before it is told; the body comes after.
  socket.write(requestText('POST', locate('generateToken').path, headers))
  await new Promise((resolve) => socket.once('data', resolve))
  const ended = server.end('SIGTERM')
  while (await isListening(port));
  socket.write(body)
  await closed
  expect(answer).toContain('partner_invalid')
  expect(answer).toMatch(/^Connection: close\r$/m)
  expect(await ended).toBe(0)
})

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1', () => {
      probe.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
}
