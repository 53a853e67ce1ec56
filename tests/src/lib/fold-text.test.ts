import { expect, it } from 'vitest'
import { foldText } from '../../../src/lib/fold-text.ts'

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
