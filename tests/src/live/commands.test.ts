import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CommandState } from '../../../contract/devices/command-calls.ts'
import { createCommands, NO_ANSWER_MS } from '../../../src/live/commands.ts'

function setUp(publish: (topic: string, payload: unknown) => Promise<void> = () => Promise.resolve()) {
  const sent: { topic: string; payload: unknown }[] = []
  const frames: (() => void)[] = []
  let id = 0
  const commands = createCommands({
    publish: (topic, payload) => {
      sent.push({ topic, payload })
      return publish(topic, payload)
    },
    rootId: () => 'root',
    randomId: () => `r${++id}`,
    schedule: (flush) => frames.push(flush),
  })
  const answer = (RequestID: string, State: CommandState, Reason: null | 'hubOffline' = null) =>
    commands.handleResponse({
      RequestID,
      HomeID: 'h1',
      PeripheralUID: 'p1',
      State,
      Reason,
      Values: { Switch: 1 },
      Timestamp: 1,
    })
  const drawFrame = () => {
    for (const flush of frames.splice(0)) flush()
  }
  return { commands, sent, answer, drawFrame }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('commands', () => {
  it('do not move backward if messages of two gateways arrive out of order', () => {
    const { commands, answer } = setUp()
    const command = commands.send('h1', 'p1', { Switch: 1 })
    answer(command.RequestID, 'acknowledged')
    answer(command.RequestID, 'sent')
    answer(command.RequestID, 'accepted')
    expect(command.get().State).toBe('acknowledged')
    answer(command.RequestID, 'confirmed')
    expect(command.get().State).toBe('confirmed')
  })

  it("keep the hub's message of a failure", () => {
    const { commands } = setUp()
    const command = commands.send('h1', 'p1', { Switch: 1 })
    commands.handleResponse({
      RequestID: 'r1',
      HomeID: 'h1',
      PeripheralUID: 'p1',
      State: 'failed',
      Reason: 'hubRefused',
      Detail: 'relay stuck',
      Values: { Switch: 1 },
      Timestamp: 1,
    })
    expect(command.get()).toMatchObject({ State: 'failed', Detail: 'relay stuck' })
  })

  it('publish all answers of a frame once', () => {
    const { commands, answer, drawFrame } = setUp()
    commands.send('h1', 'p1', { Switch: 1 })
    commands.send('h1', 'p1', { Switch: 0 })
    const told = vi.fn()
    commands.subscribe(told)
    answer('r1', 'acknowledged')
    answer('r2', 'confirmed')
    expect(told).not.toHaveBeenCalled()
    drawFrame()
    expect(told).toHaveBeenCalledTimes(1)
    answer('r1', 'confirmed')
    drawFrame()
    expect(told).toHaveBeenCalledTimes(2)
  })

  it("are sent on the home's control topic with a unique ID", () => {
    const { commands, sent } = setUp()
    commands.send('h1', 'p1', { Switch: 1 })
    expect(sent).toEqual([
      {
        topic: 'root/h1/control/request',
        payload: { RequestID: 'r1', PeripheralUID: 'p1', Values: { Switch: 1 } },
      },
    ])
  })

  it('are pending until the device itself confirms', async () => {
    const { commands, answer } = setUp()
    const command = commands.send('h1', 'p1', { Switch: 1 })
    const states = [command.get().State]
    for (const state of ['accepted', 'sent', 'acknowledged', 'confirmed'] as const) {
      answer('r1', state)
      states.push(command.get().State)
    }
    expect(states).toEqual(['pending', 'accepted', 'sent', 'acknowledged', 'confirmed'])
    expect(await command.settled).toMatchObject({ State: 'confirmed' })
  })

  it('of one device are pending in parallel, each zone of a thermostat separately', () => {
    const { commands, answer } = setUp()
    const zone = (NodeID: number, TargetTemperature: number) => ({
      ThermostatTable: [{ NodeID, TargetTemperature }],
    })
    commands.send('h1', 'p1', zone(1, 24))
    commands.send('h1', 'p1', zone(2, 20))
    commands.send('h1', 'p2', { Switch: 1 })
    expect(commands.pending('p1')).toEqual({
      ThermostatTable: [
        { NodeID: 1, TargetTemperature: 24 },
        { NodeID: 2, TargetTemperature: 20 },
      ],
    })
    answer('r2', 'confirmed')
    expect(commands.pending('p1')).toEqual(zone(1, 24))
    answer('r1', 'failed', 'hubOffline')
    expect(commands.pending('p1')).toBeUndefined()
    expect(commands.last('p1')).toMatchObject({ RequestID: 'r1', Reason: 'hubOffline' })
    expect(commands.pending('p2')).toEqual({ Switch: 1 })
  })

  it("fail with the gateway's reason", async () => {
    const { commands, answer } = setUp()
    const command = commands.send('h1', 'p1', { Switch: 1 })
    answer('r1', 'failed', 'hubOffline')
    expect(await command.settled).toMatchObject({ State: 'failed', Reason: 'hubOffline' })
    expect(commands.last('p1')).toMatchObject({ State: 'failed' })
  })

  it('are rejected at once while the channel is down', async () => {
    const { commands } = setUp(() => Promise.reject(new Error('not connected')))
    const command = commands.send('h1', 'p1', { Switch: 1 })
    expect(await command.settled).toMatchObject({ State: 'failed', Reason: 'notConnected' })
  })

  it('fail after a timeout without an answer', async () => {
    const { commands } = setUp()
    const command = commands.send('h1', 'p1', { Switch: 1 })
    await vi.advanceTimersByTimeAsync(NO_ANSWER_MS)
    expect(await command.settled).toMatchObject({ State: 'timedOut', Reason: 'noAnswer' })
  })

  it('do not time out after they end', async () => {
    const { commands, answer } = setUp()
    const command = commands.send('h1', 'p1', { Switch: 1 })
    answer('r1', 'confirmed')
    await vi.advanceTimersByTimeAsync(NO_ANSWER_MS * 2)
    expect(command.get().State).toBe('confirmed')
  })

  it('ignore answers to other screens', () => {
    const { commands, answer } = setUp()
    commands.send('h1', 'p1', { Switch: 1 })
    answer('somebody-elses', 'confirmed')
    expect(commands.last('p1')?.State).toBe('pending')
  })

  it('keep showing the newest one if an older one ends later', () => {
    const { commands, answer } = setUp()
    commands.send('h1', 'p1', { Switch: 1 })
    commands.send('h1', 'p1', { Switch: 0 })
    answer('r1', 'failed')
    expect(commands.last('p1')).toMatchObject({ RequestID: 'r2', State: 'pending' })
  })

  it('can be dismissed only after they end', () => {
    const { commands, answer } = setUp()
    commands.send('h1', 'p1', { Switch: 1 })
    commands.dismiss('p1')
    expect(commands.last('p1')).toBeDefined()
    answer('r1', 'confirmed')
    commands.dismiss('p1')
    expect(commands.last('p1')).toBeUndefined()
  })
})
