import { describe, expect, it } from 'vitest'
import { PersonalConfig } from '../../../../contract/people/personal-calls.ts'
import {
  CARDS,
  DEFAULT_ARRANGEMENT,
  MAX_TABS,
  readArrangement,
  readTabs,
  writeArrangement,
  writeTabs,
} from '../../../../src/custom-views/dashboard/arrangement.ts'
import { moveCard, showCard } from '../../../../src/custom-views/dashboard/cards/arrange-panel.tsx'

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

describe('the dashboards that stand as tabs', () => {
  const NONE = { start: null, tabs: null }

  it.each(['DEFAULT', '{', 'null', '7', '{"order":["day"],"hidden":[]}', '{"start":3,"tabs":"x"}'])(
    'are not chosen where the setting holds %j',
    (text) => expect(readTabs(text)).toEqual(NONE),
  )

  it('are chosen each once, as many as there may be, and ids that are none are dropped', () => {
    const ids = Array.from({ length: 20 }, (_, i) => `b${i}`)
    const text = JSON.stringify({ start: 'b1', tabs: ['b0', 'b0', 7, ...ids] })
    expect(readTabs(text)).toEqual({ start: 'b1', tabs: ids.slice(0, MAX_TABS) })
  })

  it('and the arrangement of the usual cards leave each other as they are', () => {
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

  it('fit beside any arrangement into what the setting can hold', () => {
    const tabs = Array.from({ length: MAX_TABS }, () => crypto.randomUUID())
    const text = writeTabs(
      { start: tabs[0] ?? null, tabs },
      writeArrangement({ order: CARDS.toReversed(), hidden: [...CARDS] }),
    )
    expect(PersonalConfig.shape.CustomDashboard.safeParse(text).success).toBe(true)
  })
})
