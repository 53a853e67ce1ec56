import { expect, it } from 'vitest'
import { liveWindows } from '../../../support/guard-windows.ts'
import { createBuilding, TENANT } from '../automation/engine/support.ts'

it('confirms shed loads within each window that would exceed 60 s before its end, or warns before', async () => {
  const database = await createBuilding()
  const lived = await liveWindows(database.db, { tenant: TENANT, count: 30 })
  expect(lived).toMatchObject({ broken: [], shedsOnPartialData: 0, lateCount: 0 })
  // Requires several of each kind, so that the test is not vacuous.
  expect(lived.sheds).toBeGreaterThan(8)
  expect(lived.warnedCount).toBeGreaterThan(2)
  expect(lived.heldCount).toBeGreaterThan(8)
  await database.dropDatabase()
})
