/** A channel to the other tabs of this browser. Returns the function that sends to them. */
export function openChannel<Message>(
  name: string,
  receive: (message: Message) => void,
): (message: Message) => void {
  const channel = new BroadcastChannel(`tiwala-sandbox-${name}`)
  channel.addEventListener('message', ({ data }) => receive(data as Message))
  // A channel reaches its own origin only, and takes no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  return (message) => channel.postMessage(message)
}
