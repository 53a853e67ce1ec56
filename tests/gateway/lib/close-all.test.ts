import { expect, it } from 'vitest'
import { closeAll } from '../../../gateway/lib/close-all.ts'

it('closes one after another, even after a failure, and then reports what failed', async () => {
  const closed: string[] = []
  const failure = new Error('The broker does not answer')
  const closing = closeAll([
    async () => {
      await Promise.resolve()
      closed.push('features')
    },
    () => undefined,
    () => Promise.reject(failure),
    async () => {
      closed.push('database')
    },
  ])
  await expect(closing).rejects.toMatchObject({ errors: [failure] })
  expect(closed).toEqual(['features', 'database'])
})
