import { describe, expect, it, vi } from 'vitest'
import { readLogo } from '../../../../src/custom-views/company/logo-file.ts'
import { pictureFile as file } from '../../../support/picture-files.ts'

const measures = (width: number, height: number) => () => Promise.resolve({ width, height })

describe('a picture for the logo', () => {
  it.each(['image/jpeg', 'image/png', 'image/webp'])('can be %s', async (type) => {
    expect(await readLogo(file(type), measures(300, 100))).toMatchObject({ type, width: 300, height: 100 })
  })

  it('can be square', async () => {
    expect(await readLogo(file('image/png'), measures(64, 64))).toMatchObject({ width: 64 })
  })

  it.each(['image/svg+xml', 'image/gif', 'application/pdf', ''])(
    'is rejected without decoding as "%s"',
    async (type) => {
      const measure = vi.fn<() => Promise<{ width: number; height: number }>>(measures(10, 10))
      expect(await readLogo(file(type), measure)).toEqual({ reason: 'type' })
      expect(measure).not.toHaveBeenCalled()
    },
  )

  it('is identified by content, not by name: accepts a webp named .jpg, rejects a script named as a picture', async () => {
    const measure = measures(64, 64)
    expect(await readLogo(file('image/webp', 'image/jpeg'), measure)).toMatchObject({ type: 'image/webp' })
    expect(await readLogo(file('image/svg+xml', 'image/png'), measure)).toEqual({ reason: 'type' })
  })

  it('is rejected if taller than wide, and the message has its size', async () => {
    expect(await readLogo(file('image/png'), measures(99, 100))).toEqual({
      reason: 'shape',
      width: 99,
      height: 100,
    })
  })

  it('is rejected if the browser cannot decode it', async () => {
    const broken = () => Promise.reject(new Error('The source image could not be decoded'))
    expect(await readLogo(file('image/png'), broken)).toEqual({ reason: 'unreadable' })
  })
})
