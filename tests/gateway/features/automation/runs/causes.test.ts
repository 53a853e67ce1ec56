import { describe, expect, it } from 'vitest'
import {
  causesOf,
  type FieldChange,
  type GivenCommand,
} from '../../../../../gateway/features/automation/runs/causes.ts'

const NOW = 10_000_000
const command = (requestedAt: number, more: Partial<GivenCommand> = {}): GivenCommand => ({
  values: { Switch: 1 },
  state: 'confirmed',
  by: 'Ada',
  runId: null,
  requestedAt,
  settledAt: requestedAt + 1_000,
  ...more,
})
const change = (timestamp: number, value = 1, field = 'Switch'): FieldChange => ({ timestamp, field, value })
const kinds = (commands: GivenCommand[], changes: FieldChange[]) =>
  causesOf(commands, changes, NOW).map(({ Kind, At }) => [Kind, At])

describe("causes of a device's state", () => {
  it('are commands and manual changes, newest first', () => {
    expect(kinds([command(1_000_000)], [change(1_000_500), change(2_000_000, 0)])).toEqual([
      ['device', 2_000_000],
      ['command', 1_000_000],
    ])
  })

  it('are commands with their values, sender and run', () => {
    expect(causesOf([command(1_000_000, { runId: 'run' })], [], NOW)).toEqual([
      { At: 1_000_000, Values: { Switch: 1 }, Kind: 'command', By: 'Ada', runId: 'run' },
    ])
  })

  it('exclude changes that a command requested, with a device clock one minute off', () => {
    for (const off of [-60_000, 0, 60_000])
      expect(kinds([command(1_000_000, { settledAt: 1_000_000 })], [change(1_000_000 + off)])).toEqual([
        ['command', 1_000_000],
      ])
  })

  it('include changes to a value other than the commanded one', () => {
    expect(kinds([command(1_000_000)], [change(1_000_500, 0)])).toContainEqual(['device', 1_000_500])
  })

  it('include a manual change to the commanded value soon after the command', () => {
    const hand = [change(1_001_000), change(1_010_000, 0), change(1_020_000)]
    expect(kinds([command(1_000_000)], hand)).toEqual([
      ['device', 1_020_000],
      ['device', 1_010_000],
      ['command', 1_000_000],
    ])
  })

  it('exclude failed commands', () => {
    expect(kinds([command(1_000_000, { state: 'failed' })], [])).toEqual([])
  })

  it('include commands that timed out but were carried out', () => {
    const late = command(1_000_000, { state: 'timedOut', settledAt: 1_030_000 })
    expect(kinds([late], [change(1_040_000)])).toEqual([['command', 1_000_000]])
  })

  it('include pending commands, whenever the device carries them out', () => {
    const open = command(1_000_000, { state: 'acknowledged', settledAt: null })
    expect(kinds([open], [change(1_500_000)])).toEqual([['command', 1_000_000]])
  })

  it('combine changes of the same time', () => {
    const both = [change(1_000_000, 1, 'Switch1'), change(1_000_000, 0, 'Switch2')]
    expect(causesOf([], both, NOW)).toEqual([
      { At: 1_000_000, Values: { Switch1: 1, Switch2: 0 }, Kind: 'device', By: null, runId: null },
    ])
  })

  it('distinguish the zones of a thermostat', () => {
    const zone = command(1_000_000, { values: { ThermostatTable: [{ NodeID: 3, Switch: 1 }] } })
    const changes = [
      change(1_000_500, 1, 'ThermostatTable.3.Switch'),
      change(1_000_500, 1, 'ThermostatTable.4.Switch'),
    ]
    expect(causesOf([zone], changes, NOW)).toMatchObject([
      { Kind: 'device', Values: { 'ThermostatTable.4.Switch': 1 } },
      { Kind: 'command' },
    ])
  })
})
