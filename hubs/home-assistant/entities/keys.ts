import { createHash } from 'node:crypto'

const MAX_UID = 64

/** A device's key from one of its identifiers: a MAC or IEEE address without separators, else the text itself. */
export function deviceKey(identifier: string): string {
  const text = identifier.replace(/^zigbee2mqtt_/, '')
  const bare = text.replace(/[:-]/g, '')
  return /^[0-9a-f]{12}$/i.test(bare) || /^0x[0-9a-f]{16}$/i.test(text) ? bare.toLowerCase() : text
}

/** A PeripheralUID from parts: 1 to 64 of [A-Za-z0-9_-]. A text that does not fit is shortened and gets a hash, so that it stays unique. */
export function uidOf(...parts: string[]): string {
  const text = parts.filter((part) => part !== '').join('-')
  const safe = text.replace(/[^A-Za-z0-9_-]/g, '_')
  if (safe === text && text.length <= MAX_UID) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10)
  return `${safe.slice(0, MAX_UID - hash.length - 1)}-${hash}`
}

/** Whether a value is a topic to subscribe and publish to: without wildcards, not empty, not too long. */
export const isTopic = (topic: unknown): topic is string =>
  typeof topic === 'string' && topic !== '' && topic.length <= 1024 && !/[+#\0]/.test(topic)

/** Minimum number of fixed levels of a filter, so that one device cannot subscribe to a whole broker. */
const MIN_FIXED = 2

/**
 * Whether a value is a topic or a filter. Wildcards must be whole levels, `#` only the last one, with at least two fixed levels:
 * `+/+/BTtoMQTT/A4C138112233`, but not `+/+` or `home/#`.
 */
export function isFilter(filter: unknown): filter is string {
  if (typeof filter !== 'string' || filter === '' || filter.length > 1024 || filter.includes('\0'))
    return false
  const levels = filter.split('/')
  if (isTopic(filter)) return true
  if (
    levels.some((level, i) =>
      level === '#' ? i < levels.length - 1 : level.length > 1 && /[+#]/.test(level),
    )
  )
    return false
  return levels.filter((level) => !['', '+', '#'].includes(level)).length >= MIN_FIXED
}

/** Whether a filter matches a topic; one that begins with a wildcard matches none of the broker's own topics (`$SYS`). */
export function matchesFilter(topic: string, filter: string): boolean {
  const levels = topic.split('/')
  const filterLevels = filter.split('/')
  if (topic.startsWith('$') && /^[+#]/.test(filter)) return false
  for (const [i, level] of filterLevels.entries()) {
    if (level === '#') return true
    if (i >= levels.length || (level !== '+' && level !== levels[i])) return false
  }
  return levels.length === filterLevels.length
}
