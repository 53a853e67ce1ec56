import { describe, expect, it, vi } from 'vitest'
import { CACHE_LIFETIME_MS, keep, kept } from '../../../src/lib/storage-with-expiry.ts'

describe('storage with expiry', () => {
  it('keeps a value for an hour and not a millisecond longer', () => {
    keep('a', { x: 1 }, 1000)
    expect(kept('a', 1000 + CACHE_LIFETIME_MS - 1)).toEqual({ x: 1 })
    expect(kept('a', 1000 + CACHE_LIFETIME_MS)).toBeUndefined()
  })

  it('clears what has expired', () => {
    keep('a', 1, 0)
    kept('a', CACHE_LIFETIME_MS + 1)
    expect(localStorage.getItem('a')).toBeNull()
  })

  it.each(['not json', '42', 'null', '{"value":1}'])('passes over %s, which is not ours', (text) => {
    localStorage.setItem('a', text)
    expect(kept('a')).toBeUndefined()
  })

  it('goes on when the store is full', () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => keep('a', 1)).not.toThrow()
    full.mockRestore()
    expect(kept('a')).toBeUndefined()
  })
})
