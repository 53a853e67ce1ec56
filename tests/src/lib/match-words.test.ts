import { expect, it } from 'vitest'
import { foldText } from '../../../contract/kernel/text.ts'
import { matchesAllWords } from '../../../src/lib/match-words.ts'

it('finds every word, in any order, ignoring case', () => {
  const holds = matchesAllWords('  meter  B2 ')
  expect(holds('Smart METER\nhub-b2')).toBe(true)
  expect(holds('Smart meter\nhub-b1')).toBe(false)
})

it('matches everything without a word', () => {
  expect(matchesAllWords(' ')('')).toBe(true)
})

it('finds a name without its accents, in composed and decomposed Unicode', () => {
  for (const name of ['José', 'José'.normalize('NFD')])
    for (const search of ['jose', 'JOSÉ', 'josé'.normalize('NFD')])
      expect(matchesAllWords(search)(name)).toBe(true)
})

it.each([
  ['José', 'jose'],
  ['José'.normalize('NFD'), 'jose'],
  ['ＡＢＣ１', 'abc1'],
  ['İSTANBUL', 'istanbul'],
  ['大廳', '大廳'],
  ['ガス', 'ガス'],
])('folds %s to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})
