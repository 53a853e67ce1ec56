import { describe, expect, it } from 'vitest'
import { testsOfChange, imports } from '../../scripts/test/import-graph.ts'

const testsOf = (...changed: string[]) => testsOfChange(changed, imports)
const below = (folder: string, tests: readonly string[]) => tests.filter((test) => test.startsWith(folder))

describe('the tests of a change', () => {
  it('in a feature are those that import it and those of its folder, not all that start a gateway', () => {
    const tests = testsOf('gateway/features/tariffs/bills.ts')
    expect(tests).toContain('tests/gateway/features/tariffs/feed-in.test.ts')
    expect(tests).toContain('tests/gateway/features/tariffs/bills.test.ts')
    expect(below('tests/gateway/features/bookings', tests)).toEqual([])
    expect(below('tests/src', tests)).toEqual([])
  })

  it('in a screen are those of the screen and of what imports it', () => {
    const tests = testsOf('src/domain/energy/use-names.ts')
    expect(below('tests/src/custom-views/electricity', tests)).not.toEqual([])
    expect(below('tests/gateway', tests)).toEqual([])
  })

  it('in the contract include those of the feature with the same name', () => {
    expect(
      below('tests/gateway/features/bookings', testsOf('contract/bookings/conference-room.ts')),
    ).not.toEqual([])
  })

  it('include changed tests themselves, but none that start processes or a cluster', () => {
    expect(testsOf('tests/src/ui/theme/contrast.test.ts')).toContain('tests/src/ui/theme/contrast.test.ts')
    const tests = testsOf('tests/gateway/bus/nats.process.test.ts', 'gateway/lib/log.ts')
    expect(tests.filter((test) => /\.(process|cluster)\./.test(test))).toEqual([])
  })

  it('always include the invariants, and no deleted test', () => {
    const tests = testsOf('docs/glossary.md', 'tests/contract/deleted.test.ts')
    expect(tests).toContain('tests/invariants/imports.test.ts')
    expect(tests).not.toContain('tests/contract/deleted.test.ts')
  })
})
