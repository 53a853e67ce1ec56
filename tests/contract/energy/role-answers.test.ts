import { describe, expect, it } from 'vitest'
import type { MeterRole } from '../../../contract/devices/meter-roles.ts'
import {
  namedTwice,
  proposeAnswers,
  type RoleAnswers,
  roleChanges,
  tryBalance,
} from '../../../contract/energy/role-answers.ts'

const meter = (MeterID: string, Name: string, role: MeterRole = 'load', parent: string | null = null) => ({
  MeterID,
  Name,
  role,
  parent,
})
const site = [
  meter('main', '台電總表'),
  meter('main.return', '台電總表（逆送）', 'check'),
  meter('sun', '太陽能', 'load', 'main'),
  meter('chiller', '冰水主機', 'load', 'main'),
]
const answers = (changes: Partial<RoleAnswers> = {}): RoleAnswers => ({
  selling: 'surplus',
  import: ['main'],
  generation: ['sun'],
  export: ['main.return'],
  discharge: [],
  charge: [],
  ...changes,
})

describe('the answers to the four questions', () => {
  it('are proposed by the names of the meters', () => {
    expect(proposeAnswers(site, 'surplus')).toEqual(answers())
    expect(proposeAnswers(site, 'ownUse').export).toEqual([])
  })

  it('keep existing answers', () => {
    const said = site.map((one) =>
      one.MeterID === 'chiller' ? { ...one, role: 'generation' as const } : one,
    )
    expect(proposeAnswers(said, 'surplus').generation).toEqual(['sun', 'chiller'])
  })

  it('name no meter twice', () => {
    expect(namedTwice(answers())).toEqual([])
    expect(namedTwice(answers({ charge: ['sun', 'main'] }))).toEqual(['sun', 'main'])
  })

  it('change only different roles, and move up meters that may not stay in place', () => {
    expect(roleChanges(site, answers())).toEqual([
      { MeterID: 'main', Role: 'gridImport', raised: false },
      { MeterID: 'main.return', Role: 'gridExport', raised: false },
      { MeterID: 'sun', Role: 'generation', raised: true },
    ])
  })

  it('reset a meter that is no longer named to its role by default', () => {
    const said = [meter('sun', '太陽能', 'generation'), meter('old', 'x', 'check')]
    expect(roleChanges(said, answers({ import: [], generation: [], export: [] }))).toEqual([
      { MeterID: 'sun', Role: 'load', raised: false },
    ])
  })

  it('exclude a plant that sells everything from the balance', () => {
    expect(roleChanges(site, answers({ selling: 'all', export: [] }))).toContainEqual({
      MeterID: 'sun',
      Role: 'soldGeneration',
      raised: true,
    })
  })

  it('are previewed on a day, with quarters of silent meters unknown', () => {
    const kWh: Record<string, (number | undefined)[]> = {
      main: [4, 4],
      'main.return': [1, 1],
      sun: [3, undefined],
      chiller: [6, 6],
    }
    const kwhOf = (id: string, quarter: number) => kWh[id]?.[quarter]
    const { consumption, bought } = tryBalance(answers(), 2, kwhOf, ['chiller'])
    expect([...consumption]).toEqual([6, NaN])
    expect([...bought]).toEqual([4, 4])
    const estimated = tryBalance(answers({ import: [], export: [] }), 1, kwhOf, ['chiller'])
    expect([...estimated.bought]).toEqual([3])
  })
})
