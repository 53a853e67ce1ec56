import { expect, it } from 'vitest'
import { fitText, widthOfText } from '../../../src/lib/fit-text.ts'

it('leaves words that fit, and cuts others short so that they do', () => {
  expect(fitText('會議室', 39, 13)).toBe('會議室')
  expect(fitText('會議室甲', 45, 13)).toBe('會議…')
  expect(fitText('Meeting room', 60, 13)).toBe('Meetin…')
  for (const width of [20, 40, 60, 200])
    expect(widthOfText(fitText('Meeting 會議室 5F', width, 13), 13)).toBeLessThanOrEqual(width + 6)
})

it('says nothing where not even one character fits', () => {
  expect(fitText('會議室', 12, 13)).toBe('')
})
