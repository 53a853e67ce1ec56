import { createHash } from 'node:crypto'

const MAX_UID = 64

/** A device's key from one of its identifiers: a MAC or IEEE address without separators, else the text itself. */
export function deviceKey(identifier: string): string {
  const text = identifier.replace(/^zigbee2mqtt_/, '')
  const bare = text.replace(/[:-]/g, '')
  return /^[0-9a-f]{12}$/i.test(bare) || /^0x[0-9a-f]{16}$/i.test(text) ? bare.toLowerCase() : text
}

/** A PeripheralUID of parts: 1 to 64 of [A-Za-z0-9_-]; what does not fit as it is carries a hash, so that it stays unique. */
export function uidOf(...parts: string[]): string {
  const text = parts.filter((part) => part !== '').join('-')
  const safe = text.replace(/[^A-Za-z0-9_-]/g, '_')
  if (safe === text && text.length <= MAX_UID) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10)
  return `${safe.slice(0, MAX_UID - hash.length - 1)}-${hash}`
}

/** A topic one can subscribe and publish to: without wildcards, not empty, not too long. */
export const isTopic = (topic: unknown): topic is string =>
  typeof topic === 'string' && topic !== '' && topic.length <= 1024 && !/[+#\0]/.test(topic)
