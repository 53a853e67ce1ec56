import { describe, expect, it } from 'vitest'
import { compareCounts, compareTime, emptyStage } from '../../scripts/test/stage.ts'
import { countFiles, type TestFile } from '../../scripts/test/vitest.ts'

const file = (name: string, ...statuses: string[]): TestFile => ({
  name,
  status: statuses.includes('failed') || !statuses.length ? 'failed' : 'passed',
  startTime: 1_000,
  endTime: 3_500,
  assertionResults: statuses.map((status, i) => ({
    status,
    fullName: `test ${i}`,
    failureMessages: status === 'failed' ? ['Error: wrong\n at a\n at b\n at c\n at d'] : [],
  })),
})

describe('a report of test files', () => {
  it('counts what passed, failed and was skipped, and how long each file took', () => {
    const stage = countFiles([file('a.ts', 'passed', 'skipped'), file('b.ts', 'passed', 'failed')], [])
    expect(stage).toMatchObject({ passed: 2, failed: 1, skipped: 1 })
    expect(stage.files).toEqual([
      { name: 'a.ts', ms: 2_500 },
      { name: 'b.ts', ms: 2_500 },
    ])
  })

  it('names what failed, with the beginning of its message', () => {
    const { notes } = countFiles([file('b.ts', 'failed')], [])
    expect(notes).toEqual(['Failed: b.ts › test 0', '  Error: wrong\n   at a\n   at b\n   at c'])
  })

  it('counts a file that does not load as a failure', () => {
    expect(countFiles([file('c.ts')], [])).toMatchObject({ failed: 1, notes: ['Failed: c.ts'] })
  })

  it('counts the second outcome of a file that was tried again, and still names what fell', () => {
    const stage = countFiles([file('b.ts', 'passed', 'failed')], [file('b.ts', 'passed', 'passed')])
    expect(stage).toMatchObject({ passed: 2, failed: 0 })
    expect(stage.notes[0]).toBe('Passed on the second try: b.ts › test 1')
  })
})

describe('the budget of the tests', () => {
  const budget = { tests: { Vitest: 10 }, minutes: 12 }
  const ran = (counts: object) => compareCounts(budget, { Vitest: { ...emptyStage(), ...counts } })

  it('fails when tests were lost; skipped ones are there', () => {
    expect(ran({ passed: 9, skipped: 1 })).toEqual(emptyStage())
    expect(ran({ passed: 9 })).toMatchObject({
      failed: 1,
      notes: ['Vitest: 9 tests, and tests/budget.json says 10: tests were lost'],
    })
  })

  it('fails when there is no count under the name of a stage', () => {
    const misspelt = { ...budget, tests: { vitest: 10 } }
    expect(compareCounts(misspelt, { Vitest: { ...emptyStage(), passed: 10 } })).toMatchObject({
      failed: 1,
      notes: ['Vitest: 10 tests, and tests/budget.json has no count of that name'],
    })
  })

  it('asks to write down a count that has grown', () => {
    expect(ran({ passed: 11 })).toMatchObject({
      failed: 0,
      notes: ['Vitest: 11 tests, and tests/budget.json says 10: write the new count there'],
    })
  })

  it('says nothing of a stage in which something failed', () => {
    expect(ran({ passed: 5, failed: 1 })).toEqual(emptyStage())
  })

  it('says when it took too long, and fails only when told to be strict', () => {
    expect(compareTime(budget, 11.9, true)).toEqual(emptyStage())
    expect(compareTime(budget, 12.5, false)).toMatchObject({
      failed: 0,
      notes: ['Took 12.5 minutes, and tests/budget.json allows 12'],
    })
    expect(compareTime(budget, 12.5, true).failed).toBe(1)
  })
})
