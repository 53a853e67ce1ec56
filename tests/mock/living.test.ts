import { expect, it } from 'vitest'
import { createLiving } from '../../mock/living.ts'

it('says from its first word what each meter measures', () => {
  const now = () => Date.parse('2026-11-27T11:00:00+08:00')
  const living = createLiving({ seed: 1, now, fire: false, changed: () => {} })
  const powers = living.all().flatMap((status) => ('Power' in status ? [Number(status['Power'])] : []))
  expect(powers.filter((power) => power > 0).length).toBeGreaterThan(powers.length / 2)
})
