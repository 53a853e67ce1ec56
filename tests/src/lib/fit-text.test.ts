import { expect, it } from 'vitest'
import { fitText, widthOfText, wrapText } from '../../../src/lib/fit-text.ts'

const font = { size: 13 }

it('keeps text that fits, and shortens other text', () => {
  expect(fitText('會議室', 39, font)).toBe('會議室')
  expect(fitText('會議室甲', 45, font)).toBe('會議…')
  expect(fitText('Meeting room', 60, font)).toBe('Meetin…')
  for (const width of [20, 40, 60, 200])
    expect(widthOfText(fitText('Meeting 會議室 5F', width, font), font)).toBeLessThanOrEqual(width + 6)
})

it('measures bold text as wider', () => {
  expect(fitText('Meeting', 60, font)).toBe('Meeting')
  expect(fitText('Meeting', 60, { ...font, bold: true })).toBe('Meeti…')
})

it('never shows part of a number', () => {
  expect(fitText('電表 1234', 70, font)).toBe('電表 1234')
  expect(fitText('電表 1234', 60, font)).toBe('電表…')
  expect(fitText('12/34', 30, font)).toBe('')
})

it('returns nothing if not even one character fits', () => {
  expect(fitText('會議室', 12, font)).toBe('')
})

it('wraps to the next line, between words or Chinese characters, and shortens the last', () => {
  expect(wrapText('會議室', [39, 60], font)).toEqual(['會議室'])
  expect(wrapText('大會議室（視訊）', [39, 70], font)).toEqual(['大會議', '室（視訊）'])
  expect(wrapText('Open office 12', [60, 90], font)).toEqual(['Open', 'office 12'])
  expect(wrapText('Laboratory', [40, 90], font)).toEqual(['', 'Laboratory'])
  expect(wrapText('Laboratory', [40, 40], font)).toEqual(['Labor', 'atory'])
  expect(wrapText('大會議室（視訊）', [39, 39], font)).toEqual(['大會議', '室（…'])
})
