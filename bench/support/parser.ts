/** Baseline of a bridge: a client that only parses the same messages. */
import { connectAsync } from 'mqtt'
import { serveParent } from './child.ts'

const [url = '', ...topics] = process.argv.slice(2)
let messages = 0
let devices = 0
const client = await connectAsync(url, { protocolVersion: 4 })
client.on('message', (_topic, payload) => {
  const body: unknown = JSON.parse(payload.toString())
  if (typeof body === 'object' && body !== null) messages++
  if (Array.isArray(body)) devices = body.length
})
await client.subscribeAsync(topics, { qos: 1 })
serveParent({}, () => ({ messages, devices }))
