// Runs in a frame without an origin: sends the request that the sandbox page asks for, as another site would.
addEventListener('message', async ({ data: { url, headers } }) => {
  try {
    const response = await fetch(url, { headers })
    parent.postMessage({ status: response.status, text: await response.text() }, '*')
  } catch {
    parent.postMessage({}, '*')
  }
})
parent.postMessage('ready', '*')
