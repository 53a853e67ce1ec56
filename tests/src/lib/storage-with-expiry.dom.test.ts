import { describe, expect, it, vi } from 'vitest'
import { CACHE_LIFETIME_MS, setWithExpiry, getUnexpired } from '../../../src/lib/storage-with-expiry.ts'

describe('storage with expiry', () => {
  it('keeps a value for exactly one hour', () => {
    setWithExpiry('a', { x: 1 }, 1000)
    expect(getUnexpired('a', 1000 + CACHE_LIFETIME_MS - 1)).toEqual({ x: 1 })
    expect(getUnexpired('a', 1000 + CACHE_LIFETIME_MS)).toBeUndefined()
  })

  it('clears expired values', () => {
    setWithExpiry('a', 1, 0)
    getUnexpired('a', CACHE_LIFETIME_MS + 1)
    expect(localStorage.getItem('a')).toBeNull()
  })

  it.each(['not json', '42', 'null', '{"value":1}'])('ignores %s, which is not ours', (text) => {
    localStorage.setItem('a', text)
    expect(getUnexpired('a')).toBeUndefined()
  })

  it('continues if the storage is full', () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => setWithExpiry('a', 1)).not.toThrow()
    full.mockRestore()
    expect(getUnexpired('a')).toBeUndefined()
  })
})
