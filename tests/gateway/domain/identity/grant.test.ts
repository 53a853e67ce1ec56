import { expect, it, vi } from 'vitest'
import type { Actor } from '../../../../gateway/kernel/context.ts'
import { createIsGranted, type Grant } from '../../../../gateway/domain/identity/grant.ts'

const actor = { isRoot: true, permissions: [] } as unknown as Actor
const grant: Grant = { cognitoId: 'c1', sessionId: 's1', access: { feature: 'device', operation: 'Read' } }

it('is valid while the person has the right', async () => {
  const loadActor = vi.fn(() => Promise.resolve(actor))
  expect(await createIsGranted({ loadActor })(grant)).toBe(true)
  expect(loadActor).toHaveBeenCalledWith('c1', { originJti: 's1' })
})

it.each([undefined, null, 'c1', {}, { ...grant, access: { feature: 'none', operation: 'Read' } }])(
  'is invalid without one: %j',
  async (other) => {
    const loadActor = vi.fn(() => Promise.resolve(actor))
    expect(await createIsGranted({ loadActor })(other as Grant)).toBe(false)
    expect(loadActor).not.toHaveBeenCalled()
  },
)
