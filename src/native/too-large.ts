/**
 * Whether a message is longer than this many characters. Looks no further than that, so that a message of any size takes
 * the same time.
 *
 * data  a text, or what was made of one: objects, lists and plain values
 */
export function tooLarge(data: unknown, limit: number): boolean {
  if (typeof data === 'string') return data.length > limit
  let left = limit
  const waiting: unknown[] = [data]
  while (waiting.length > 0 && left >= 0) {
    const value = waiting.pop()
    left -= typeof value === 'string' ? value.length + 1 : 1
    if (typeof value !== 'object' || value === null) continue
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) left -= value.byteLength
    for (const name in value) {
      left -= name.length + 1
      if (left < 0) break
      waiting.push((value as Record<string, unknown>)[name])
    }
  }
  return left < 0
}
