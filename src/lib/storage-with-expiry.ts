/** Lifetime of the local cache: 1 hour after load (§4, §9). */
export const CACHE_LIFETIME_MS = 3_600_000

interface StoredValue {
  value: unknown
  until: number
}

/**
 * Stores a JSON value in localStorage with an expiry. If storage is full or forbidden, the value is not stored.
 *
 * lifetime  in ms, default one hour
 */
export function setWithExpiry(
  key: string,
  value: unknown,
  now = Date.now(),
  lifetime = CACHE_LIFETIME_MS,
): void {
  try {
    localStorage.setItem(key, JSON.stringify({ value, until: now + lifetime } satisfies StoredValue))
  } catch {
    // quota or private mode
  }
}

/** Stored value; undefined if absent, expired or malformed. */
export function getUnexpired(key: string, now = Date.now()): unknown {
  try {
    const entry = JSON.parse(localStorage.getItem(key) ?? 'null') as StoredValue | null
    if (!entry || typeof entry.until !== 'number') return undefined
    if (entry.until > now) return entry.value
    localStorage.removeItem(key)
  } catch {
    // malformed, or no storage
  }
  return undefined
}
