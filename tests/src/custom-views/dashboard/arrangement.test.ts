import { describe, expect, it } from 'vitest'
import { PersonalConfig } from '../../../../contract/procedures/personal.ts'
import {
  CARDS,
  DEFAULT_ARRANGEMENT,
  readArrangement,
  writeArrangement,
} from '../../../../src/custom-views/dashboard/arrangement.ts'
import { moveCard, showCard } from '../../../../src/custom-views/dashboard/cards/move-card.ts'

describe('the arrangement of the dashboard', () => {
  it('is the usual one until somebody arranges, and is written as the setting was before', () => {
    expect(readArrangement('DEFAULT')).toEqual({ order: CARDS, hidden: [] })
    expect(writeArrangement(DEFAULT_ARRANGEMENT)).toBe('DEFAULT')
  })

  it('comes back as it was written, within what the setting can hold', () => {
    const arranged = { order: CARDS.toReversed(), hidden: [...CARDS] }
    const text = writeArrangement(arranged)
    expect(readArrangement(text)).toEqual(arranged)
    expect(PersonalConfig.shape.CustomDashboard.safeParse(text).success).toBe(true)
  })

  it.each(['', 'MINE', '{', 'null', '7', '[]', '{"order":"x","hidden":{"a":1}}'])(
    'is the usual one where the setting holds %j',
    (text) => expect(readArrangement(text)).toEqual(DEFAULT_ARRANGEMENT),
  )

  it('drops what is no card, counts none twice, and lets cards that it does not name follow', () => {
    const { order, hidden } = readArrangement('{"order":["hubs","gone","hubs",3],"hidden":["gone","day"]}')
    expect(order).toEqual(['hubs', ...CARDS.filter((name) => name !== 'hubs')])
    expect(hidden).toEqual(['day'])
  })

  it('moves a card past the next one that is offered, and stops at the ends', () => {
    const offered = ['usage', 'ranking', 'hubs'] as const
    const up = moveCard(DEFAULT_ARRANGEMENT, 'hubs', -1, offered)
    expect(up.order).toEqual(['usage', 'day', 'hubs', 'ranking', 'categories'])
    const top = moveCard(up, 'hubs', -1, offered)
    expect(top.order[0]).toBe('hubs')
    expect(moveCard(top, 'hubs', -1, offered).order).toEqual(top.order)
    expect(moveCard(up, 'hubs', 1, offered).order.slice(0, 4)).toEqual(['usage', 'day', 'ranking', 'hubs'])
  })

  it('forgets cards of an earlier version, which stand above now', () => {
    const { order, hidden } = readArrangement(
      '{"order":["alarms","homes","day"],"hidden":["alarms","saving"]}',
    )
    expect(order).toEqual(['day', 'usage', 'ranking', 'categories', 'hubs'])
    expect(hidden).toEqual([])
  })

  it('hides and shows', () => {
    const without = showCard(DEFAULT_ARRANGEMENT, 'day', false)
    expect(without.hidden).toEqual(['day'])
    expect(showCard(without, 'day', true)).toEqual(DEFAULT_ARRANGEMENT)
  })
})
