import { describe, expect, it, vi } from 'vitest'
import { readLogo } from '../../../../src/custom-views/company/logo-file.ts'

const file = (type: string) => new File(['picture'], 'logo', { type })
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
