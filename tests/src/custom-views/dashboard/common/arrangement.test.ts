import { describe, expect, it } from 'vitest'
import { PersonalConfig } from '../../../../../contract/people/personal-calls.ts'
import {
  CARDS,
  DEFAULT_ARRANGEMENT,
  MAX_TABS,
  readArrangement,
  readTabs,
  writeArrangement,
  writeTabs,
} from '../../../../../src/custom-views/dashboard/common/arrangement.ts'
import { moveCard, showCard } from '../../../../../src/custom-views/dashboard/cards/arrange-panel.tsx'

describe('the arrangement of the dashboard', () => {
  it('is the default until changed, and is stored in the previous format of the setting', () => {
    expect(readArrangement('DEFAULT')).toEqual({ order: CARDS, hidden: [] })
    expect(writeArrangement(DEFAULT_ARRANGEMENT)).toBe('DEFAULT')
  })

  it('survives a round trip, within the maximum size of the setting', () => {
    const arranged = { order: CARDS.toReversed(), hidden: [...CARDS] }
    const text = writeArrangement(arranged)
    expect(readArrangement(text)).toEqual(arranged)
    expect(PersonalConfig.shape.CustomDashboard.safeParse(text).success).toBe(true)
  })

  it.each(['', 'MINE', '{', 'null', '7', '[]', '{"order":"x","hidden":{"a":1}}'])(
    'is the default if the setting is %j',
    (text) => expect(readArrangement(text)).toEqual(DEFAULT_ARRANGEMENT),
  )

  it('removes unknown and duplicate cards, and appends cards that it does not name', () => {
    const { order, hidden } = readArrangement('{"order":["hubs","gone","hubs",3],"hidden":["gone","day"]}')
    expect(order).toEqual(['hubs', ...CARDS.filter((name) => name !== 'hubs')])
    expect(hidden).toEqual(['day'])
  })

  it('moves a card past the next available one, and stops at both ends', () => {
    const offered = ['usage', 'ranking', 'hubs'] as const
    const up = moveCard(DEFAULT_ARRANGEMENT, 'hubs', -1, offered)
    expect(up.order).toEqual(['usage', 'day', 'hubs', 'ranking', 'categories'])
    const top = moveCard(up, 'hubs', -1, offered)
    expect(top.order[0]).toBe('hubs')
    expect(moveCard(top, 'hubs', -1, offered).order).toEqual(top.order)
    expect(moveCard(up, 'hubs', 1, offered).order.slice(0, 4)).toEqual(['usage', 'day', 'ranking', 'hubs'])
  })

  it('ignores cards of an earlier version that now have a fixed place', () => {
    const { order, hidden } = readArrangement(
      '{"order":["alarms","homes","day"],"hidden":["alarms","saving"]}',
    )
    expect(order).toEqual(['day', 'usage', 'ranking', 'categories', 'hubs'])
    expect(hidden).toEqual([])
  })

  it('hides and shows cards', () => {
    const without = showCard(DEFAULT_ARRANGEMENT, 'day', false)
    expect(without.hidden).toEqual(['day'])
    expect(showCard(without, 'day', true)).toEqual(DEFAULT_ARRANGEMENT)
  })
})

describe('dashboards shown as tabs', () => {
  const NONE = { start: null, tabs: null }

  it.each(['DEFAULT', '{', 'null', '7', '{"order":["day"],"hidden":[]}', '{"start":3,"tabs":"x"}'])(
    'are not selected if the setting is %j',
    (text) => expect(readTabs(text)).toEqual(NONE),
  )

  it('are unique, limited in number, and exclude invalid IDs', () => {
    const ids = Array.from({ length: 20 }, (_, i) => `b${i}`)
    const text = JSON.stringify({ start: 'b1', tabs: ['b0', 'b0', 7, ...ids] })
    expect(readTabs(text)).toEqual({ start: 'b1', tabs: ids.slice(0, MAX_TABS) })
  })

  it('are independent of the arrangement of the default cards', () => {
    const arranged = { order: CARDS.toReversed(), hidden: ['day'] as const }
    const chosen = { start: 'b1', tabs: ['b1', 'b2'] }
    const both = writeTabs(chosen, writeArrangement(arranged))
    expect(readArrangement(both)).toEqual(arranged)
    expect(readTabs(both)).toEqual(chosen)
    expect(readTabs(writeArrangement(DEFAULT_ARRANGEMENT, both))).toEqual(chosen)
    expect(writeTabs(chosen, 'DEFAULT')).toBe('{"start":"b1","tabs":["b1","b2"]}')
    expect(writeTabs(NONE, writeArrangement(DEFAULT_ARRANGEMENT, both))).toBe('DEFAULT')
    expect(readArrangement(writeTabs(NONE, both))).toEqual(arranged)
  })

  it('fit in the setting together with any arrangement', () => {
    const tabs = Array.from({ length: MAX_TABS }, () => crypto.randomUUID())
    const text = writeTabs(
      { start: tabs[0] ?? null, tabs },
      writeArrangement({ order: CARDS.toReversed(), hidden: [...CARDS] }),
    )
    expect(PersonalConfig.shape.CustomDashboard.safeParse(text).success).toBe(true)
  })
})
