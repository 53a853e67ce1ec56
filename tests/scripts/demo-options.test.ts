import { expect, it } from 'vitest'
import { readDemoOptions } from '../../scripts/demo-options.ts'

/** Sunday. */
const NOW = Date.parse('2026-11-22T03:30:00+08:00')

it('lets the buildings live by the clock unless it is told otherwise', () => {
  expect(readDemoOptions([], NOW)).toEqual({
    speed: 1,
    worldStart: undefined,
    quiet: false,
    notice: '',
  })
  expect(readDemoOptions(['--speed', '60'], NOW)).toMatchObject({ speed: 60, worldStart: undefined })
})

it('lets them live at a time of the last workday, and says so', () => {
  const options = readDemoOptions(['--at', '10:00'], NOW)
  expect(options).toMatchObject({ worldStart: Date.parse('2026-11-20T10:00:00+08:00') })
  expect(options).toHaveProperty('notice', expect.stringContaining('live at 10:00 of the last workday'))
})

it('takes away what is wrong, and keeps the clock, when it is to be quiet', () => {
  expect(readDemoOptions(['--quiet'], NOW)).toMatchObject({ quiet: true, worldStart: undefined, notice: '' })
})

it.each([[['--at', '25:00']], [['--at', 'noon']], [['--speed', '0']], [['--speed', 'fast']], [['--quick']]])(
  'says what is wrong with %j',
  (args) => {
    expect(readDemoOptions(args, NOW)).toEqual(expect.stringMatching(/--/))
  },
)
