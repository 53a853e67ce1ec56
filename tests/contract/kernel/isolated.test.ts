import { expect, it } from 'vitest'
import { isolated } from '../../../contract/kernel/text.ts'

it.each(['王小明', 'Ángel Ñuñez', '👩‍🔬', '<b>', '', 'e\u0301'])('leaves %j unchanged', (name) => {
  expect(isolated(name)).toBe(name)
})

it.each(['محمد علي', 'דנה', '王 محمد'])('isolates %s', (name) => {
  expect(isolated(name)).toBe(`\u2068${name}\u2069`)
})

it('prevents a name from ending its isolate, or reordering what follows', () => {
  expect(isolated('\u2069\u202egnp.exe')).toBe('\u2068\u202egnp.exe\u2069')
})
