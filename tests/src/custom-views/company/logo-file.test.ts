import { describe, expect, it, vi } from 'vitest'
import { readLogo } from '../../../../src/custom-views/company/logo-file.ts'
import { pictureFile as file } from '../../../support/picture-files.ts'

const measures = (width: number, height: number) => () => Promise.resolve({ width, height })

describe('a picture for the logo', () => {
  it.each(['image/jpeg', 'image/png', 'image/webp'])('may be %s', async (type) => {
    expect(await readLogo(file(type), measures(300, 100))).toMatchObject({ type, width: 300, height: 100 })
  })

  it('may be square', async () => {
    expect(await readLogo(file('image/png'), measures(64, 64))).toMatchObject({ width: 64 })
  })

  it.each(['image/svg+xml', 'image/gif', 'application/pdf', ''])(
    'is refused unseen as "%s"',
    async (type) => {
      const measure = vi.fn<() => Promise<{ width: number; height: number }>>(measures(10, 10))
      expect(await readLogo(file(type), measure)).toEqual({ reason: 'type' })
      expect(measure).not.toHaveBeenCalled()
    },
  )

  it('is what it is, not what it is named: a webp saved as a jpg is taken, a script named a picture is not', async () => {
    const measure = measures(64, 64)
    expect(await readLogo(file('image/webp', 'image/jpeg'), measure)).toMatchObject({ type: 'image/webp' })
    expect(await readLogo(file('image/svg+xml', 'image/png'), measure)).toEqual({ reason: 'type' })
  })

  it('is refused taller than wide, with its size to say so', async () => {
    expect(await readLogo(file('image/png'), measures(99, 100))).toEqual({
      reason: 'shape',
      width: 99,
      height: 100,
    })
  })

  it('is refused when the browser cannot draw it', async () => {
    const broken = () => Promise.reject(new Error('The source image could not be decoded'))
    expect(await readLogo(file('image/png'), broken)).toEqual({ reason: 'unreadable' })
  })
})
