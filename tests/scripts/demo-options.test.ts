import { expect, it } from 'vitest'
import { languageOfLocale, readDemoOptions } from '../../scripts/demo-options.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)
const SUNDAY = at('2026-11-22T03:30:00')
const FRIDAY_SHOWN = at('2026-11-20T10:20:00')
/** Time that the demo shows at a time. */
const shownAt = (now: number, args: readonly string[] = [], lastAt?: number): number => {
  const options = readDemoOptions(args, now, () => lastAt)
  if (typeof options === 'string') throw new Error(options)
  return now + options.clockAheadMs
}

it('shows the true time in office hours', () => {
  const now = at('2026-11-23T16:59:00')
  expect(readDemoOptions([], now)).toEqual({
    speed: 1,
    clockAheadMs: 0,
    quiet: false,
    language: 'zh',
    notice: '',
  })
  expect(readDemoOptions(['--speed', '60'], now)).toMatchObject({ speed: 60, clockAheadMs: 0 })
})

it('shows 10:20 of the last workday at all other times, and says so', () => {
  expect(shownAt(SUNDAY)).toBe(FRIDAY_SHOWN)
  expect(shownAt(at('2026-11-23T07:59:00'))).toBe(FRIDAY_SHOWN)
  expect(shownAt(at('2026-11-23T17:00:00'))).toBe(at('2026-11-23T10:20:00'))
  // A holiday on a Friday.
  expect(shownAt(at('2026-12-25T11:00:00'))).toBe(at('2026-12-24T10:20:00'))
  expect(readDemoOptions([], SUNDAY)).toHaveProperty(
    'notice',
    expect.stringContaining('Friday 2026/11/20 10:20'),
  )
})

it('shows the time of the last workday that is asked for', () => {
  expect(shownAt(SUNDAY, ['--at', '14:00'])).toBe(at('2026-11-20T14:00:00'))
  expect(shownAt(at('2026-11-23T16:00:00'), ['--at', '9:30'])).toBe(at('2026-11-23T09:30:00'))
})

it('never goes back behind what an earlier run has shown', () => {
  const reached = at('2026-11-20T16:40:00')
  expect(shownAt(at('2026-11-20T18:00:00'), [], reached)).toBe(reached)
  expect(shownAt(SUNDAY, [], FRIDAY_SHOWN - 1)).toBe(FRIDAY_SHOWN)
  expect(readDemoOptions(['--at', '10:00'], SUNDAY, () => reached)).toEqual(
    expect.stringContaining('Friday 2026/11/20 16:40'),
  )
})

it('takes away what is wrong when it is to be quiet', () => {
  expect(readDemoOptions(['--quiet'], SUNDAY)).toMatchObject({ quiet: true })
})

it('names everything in English if it is to', () => {
  expect(readDemoOptions(['--lang', 'en'], SUNDAY)).toMatchObject({ language: 'en' })
})

it('names everything in the language of the terminal, if it is not told another one', () => {
  expect(languageOfLocale({ LANG: 'en_GB.UTF-8' })).toBe('en')
  expect(languageOfLocale({ LC_ALL: 'zh_TW.UTF-8', LANG: 'en_US.UTF-8' })).toBe('zh')
  expect(languageOfLocale({ LANG: 'C.UTF-8' })).toBe('zh')
  expect(readDemoOptions([], SUNDAY, undefined, 'en')).toMatchObject({ language: 'en' })
  expect(readDemoOptions(['--lang', 'zh'], SUNDAY, undefined, 'en')).toMatchObject({ language: 'zh' })
})

it.each([
  [['--lang', 'fr']],
  [['--at', '25:00']],
  [['--at', 'noon']],
  [['--speed', '0']],
  [['--speed', 'fast']],
  [['--quick']],
])('says what is wrong with %j', (args) => {
  expect(readDemoOptions(args, SUNDAY)).toEqual(expect.stringMatching(/--/))
})
