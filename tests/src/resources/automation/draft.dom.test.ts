import { describe, expect, it } from 'vitest'
import type { ActionFacts } from '../../../../src/custom-views/automation/actions/use-action-facts.ts'
import { changed, draftOf } from '../../../../src/resources/automation/editor/draft.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { schedule } from './rules.ts'

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

describe('what becomes of a missed run', () => {
  it.each([
    ['is caught up with where it sets a light', light, 'latest'],
    ['is left out where it sets what is asked for by hand first', contact, 'skip'],
    ['is left out where a scene of it does', { SceneID: 's1' }, 'skip'],
  ] as const)('%s', (_what, action, Catching) => {
    expect(changed(draftOf(), { Actions: [{ ...action }] }, facts)).toMatchObject({ Catching })
  })

  it('follows the actions only until somebody has chosen', () => {
    const followed = changed(changed(draftOf(), { Actions: [contact] }, facts), { Actions: [light] }, facts)
    expect(followed).toMatchObject({ Catching: 'latest' })
    const chosen = changed(followed, { Catching: 'latest' }, facts)
    expect(changed(chosen, { Actions: [contact] }, facts)).toMatchObject({ Catching: 'latest' })
    const stored = draftOf({ ...schedule(), Catching: 'latest' })
    expect(changed(stored, { Actions: [contact] }, facts)).toMatchObject({ Catching: 'latest' })
  })
})
