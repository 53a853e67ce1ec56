import fc from 'fast-check'
import { expect, it } from 'vitest'
import { partsOf, restoring } from '../../../../gateway/features/automation/runs/restore.ts'

const fields = ['Switch1', 'Switch2', 'Level']
const known = fc.dictionary(fc.constantFrom(...fields), fc.integer({ min: 0, max: 2 }))

it('restores a value only if the device still shows it, whatever was changed manually since', () => {
  fc.assert(
    fc.property(known, fc.option(known), fc.option(known), (set, before, status) => {
      const { values, unrestoredCount } = restoring({ values: set, before }, status, 'before')
      for (const [field, value] of Object.entries(values)) {
        // Only fields that the run set, that have not been changed since, and whose previous value is known are restored.
        expect(status?.[field]).toBe(set[field])
        expect(value).toBe(before?.[field])
      }
      const changed = partsOf(set).filter((part) => {
        const [field = '', value] = Object.entries(part)[0] ?? []
        const wasAnother = before?.[field] !== undefined && before[field] !== value
        return wasAnother && status?.[field] !== undefined && status[field] !== value
      })
      expect(unrestoredCount).toBeGreaterThanOrEqual(changed.length > 0 ? 1 : 0)
    }),
  )
})
