import { describe, expect, it } from 'vitest'
import { readImageHeader } from '../../../../gateway/features/uploads/check-picture.ts'
import { jpeg, png, webp } from '../../../support/pictures.ts'

describe('the header of a picture', () => {
  it.each([
    ['image/png', png(640, 480)],
    ['image/jpeg', jpeg(640, 480)],
    ['image/webp', webp(640, 480, 'VP8 ')],
    ['image/webp', webp(640, 480, 'VP8L')],
    ['image/webp', webp(640, 480, 'VP8X')],
  ])('identifies an %s and its size by its bytes', (contentType, bytes) => {
    expect(readImageHeader(bytes)).toEqual({ contentType, width: 640, height: 480 })
  })

  it.each([
    ['nothing', ''],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
    ['a GIF', 'GIF89a\x01\0\x01\0'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
  ])('rejects %s', (_what, text) => {
    expect(readImageHeader(Buffer.from(text, 'latin1'))).toBeUndefined()
  })

  it('rejects every truncated header, and never reads past its end', () => {
    for (const whole of [png(8, 8).subarray(0, 24), jpeg(8, 8).subarray(0, 17), webp(8, 8)])
      for (let length = 0; length < whole.length; length++)
        expect(readImageHeader(whole.subarray(0, length))).toBeUndefined()
  })

  it('rejects a picture without width', () => {
    expect(readImageHeader(png(0, 8))).toBeUndefined()
  })
})
