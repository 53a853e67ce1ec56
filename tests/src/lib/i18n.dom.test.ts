import { expect, it } from 'vitest'
import { t } from '../../../src/lib/i18n/i18n.ts'

it('lets a name in a sentence keep its direction and leave that of the words around it', () => {
  expect(t('screens:list.edit', { name: 'محمد' })).toBe('編輯「\u2068محمد\u2069」')
})

it.each(['王小明', '<b>&', '$t(screens:save)', '{{name}}'])('says %s in a sentence as it is', (name) => {
  expect(t('screens:list.edit', { name })).toBe(`編輯「${name}」`)
})

it('writes how many entries a list has with the thousands apart', () => {
  expect(t('screens:list.count', { count: 10_004 })).toBe('10,004 筆')
  expect(t('screens:list.count', { count: 1 })).toBe('1 筆')
})
