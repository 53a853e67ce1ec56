/** How long the local cache lives: 1 hour after load (§4, §9). */
export const CACHE_LIFETIME_MS = 3_600_000

interface Kept {
  value: unknown
  until: number
}

/**
 * Keeps a JSON value in localStorage for a while. A full or forbidden store is no reason to stop: the value is then not kept.
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
    localStorage.setItem(key, JSON.stringify({ value, until: now + lifetime } satisfies Kept))
  } catch {
    // quota or private mode
  }
}

/** The kept value, or undefined when there is none, it has expired or it is not ours. */
export function getUnexpired(key: string, now = Date.now()): unknown {
  try {
    const entry = JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null
    if (!entry || typeof entry.until !== 'number') return undefined
    if (entry.until > now) return entry.value
    localStorage.removeItem(key)
  } catch {
    // not ours, or no storage
  }
  return undefined
}
