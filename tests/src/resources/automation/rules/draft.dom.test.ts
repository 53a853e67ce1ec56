import { describe, expect, it } from 'vitest'
import type { ActionFacts } from '../../../../../src/domain/automation/targets/use-action-facts.ts'
import {
  catchingOf,
  withChange,
  draftOf,
  ruleOf,
} from '../../../../../src/resources/automation/rules/draft.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'
import { schedule } from '../rules.ts'

const light = { PeripheralUID: 'light', Values: { Switch: 1 } }
const contact = { PeripheralUID: 'contact', Values: { Switch: 1 } }
const device = (PeripheralUID: string, PeripheralType: string) =>
  [PeripheralUID, aPeripheral({ PeripheralUID, PeripheralType })] as const
const facts: ActionFacts = {
  HomeID: 'h1',
  rooms: [],
  rows: [],
  devices: new Map([device('light', '516'), device('contact', '517')]),
  groups: new Map(),
  scenes: new Map([
    [
      's1',
      {
        SceneID: 's1',
        SceneName: 'opens',
        Actions: [{ ...contact, After: 0, IfOffline: 'fail' as const }],
      },
    ],
  ]),
  known: { devices: true, groups: true, rooms: true, scenes: true },
}

describe('catching up a missed run', () => {
  it.each([
    ['is caught up with where it sets a light', light, 'latest'],
    ['is left out where it sets what is asked for by hand first', contact, 'skip'],
    ['is left out where a scene of it does', { SceneID: 's1' }, 'skip'],
  ] as const)('%s', (_what, action, Catching) => {
    const draft = withChange(draftOf(), { Actions: [{ ...action }] }, facts)
    expect(catchingOf(draft, facts)).toBe(Catching)
    // The gateway sets this itself.
    expect(ruleOf(draft, 'schedule').Catching).toBeUndefined()
  })

  it("defaults to the contract's value for a prefilled draft", () => {
    const prefilled = draftOf({ AutomationName: 'Gate', Actions: [contact] } as never)
    expect(catchingOf(prefilled, facts)).toBe('skip')
    expect(ruleOf(prefilled, 'schedule').Catching).toBeUndefined()
  })

  it('follows the actions until the user chooses', () => {
    const followed = withChange(
      withChange(draftOf(), { Actions: [contact] }, facts),
      { Actions: [light] },
      facts,
    )
    expect(catchingOf(followed, facts)).toBe('latest')
    const chosen = withChange(followed, { Catching: 'latest' }, facts)
    const dared = withChange(chosen, { Actions: [contact] }, facts)
    expect(ruleOf(dared, 'schedule').Catching).toBe('latest')
  })

  it('keeps the stored value, unless the rule newly sets what needs confirmation by hand', () => {
    const stored = draftOf({ ...schedule(), Actions: [light] as never, Catching: 'latest' })
    const renamed = withChange(stored, { AutomationName: 'Other' }, facts)
    expect(ruleOf(renamed, 'schedule').Catching).toBe('latest')
    const dangerous = withChange(stored, { Actions: [contact] }, facts)
    expect(catchingOf(dangerous, facts)).toBe('skip')
    const before = draftOf({ ...schedule(), Actions: [contact] as never, Catching: 'latest' })
    expect(catchingOf(withChange(before, { Actions: [contact, light] }, facts), facts)).toBe('latest')
  })
})
