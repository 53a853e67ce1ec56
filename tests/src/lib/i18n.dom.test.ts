import { expect, it } from 'vitest'
import { t } from '../../../src/lib/i18n/i18n.ts'

it('isolates the text direction of a name in a sentence', () => {
  expect(t('screens:list.edit', { name: 'محمد' })).toBe('編輯「\u2068محمد\u2069」')
})

it.each(['王小明', '<b>&', '$t(screens:save)', '{{name}}'])('inserts %s in a sentence unchanged', (name) => {
  expect(t('screens:list.edit', { name })).toBe(`編輯「${name}」`)
})

it('formats the number of entries with thousands separators', () => {
  expect(t('screens:list.count', { count: 10_004 })).toBe('10,004 筆')
  expect(t('screens:list.count', { count: 1 })).toBe('1 筆')
})
