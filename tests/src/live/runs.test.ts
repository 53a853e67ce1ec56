import { describe, expect, it, vi } from 'vitest'
import { NO_ANSWER_MS } from '../../../src/live/commands.ts'
import { createRuns } from '../../../src/live/runs.ts'
import { PATIENT } from '../../support/patient.ts'

function setUp(publish: () => Promise<void> = () => Promise.resolve()) {
  const sent: { topic: string; payload: object }[] = []
  const runs = createRuns({
    publish: (topic, payload) => {
      sent.push({ topic, payload })
      return publish()
    },
    rootId: () => 'root',
    randomId: () => 'run1',
    schedule: (flush) => flush(),
  })
  return { runs, sent }
}
const response = (RequestID: string, PeripheralUID: string, State: 'sent' | 'confirmed' | 'failed') => ({
  RequestID,
  HomeID: 'h1',
  PeripheralUID,
  State,
  Reason: State === 'failed' ? ('hubOffline' as const) : null,
  Values: {},
  Timestamp: 1,
})

describe('a run', () => {
  it('of a group is sent as one, and each of its devices answers', () => {
    const { runs, sent } = setUp()
    const id = runs.send('h1', { GroupID: 'g1' }, { Switch: 1 })
    expect(sent).toEqual([
      {
        topic: 'root/h1/control/request',
        payload: { RequestID: 'run1', GroupID: 'g1', Values: { Switch: 1 } },
      },
    ])
    runs.handleResponse(response('run1-0', 'a', 'sent'))
    runs.handleResponse(response('run1-1', 'b', 'failed'))
    runs.handleResponse(response('run1-0', 'a', 'confirmed'))
    expect(
      [...(runs.get(id)?.devices ?? [])].map(([uid, { State, Reason }]) => [uid, State, Reason]),
    ).toEqual([
      ['a', 'confirmed', null],
      ['b', 'failed', 'hubOffline'],
    ])
  })

  it('is tracked even if its commands answer before its ID is known', () => {
    const { runs } = setUp()
    runs.handleResponse(response('other-0', 'a', 'confirmed'))
    runs.handleRun({
      RunID: 'other',
      AutomationID: null,
      SceneID: 's1',
      State: 'done',
      Reason: null,
      Actions: { confirmed: 1, failed: 0, open: 0 },
      Timestamp: 1,
    })
    expect(runs.get('other')).toMatchObject({ State: 'done', Actions: { confirmed: 1 } })
    expect(runs.get('other')?.devices.get('a')?.State).toBe('confirmed')
  })

  it('fails as a whole if it is rejected, or cannot be sent', async () => {
    const refused = setUp()
    refused.runs.send('h1', { GroupID: 'g1' }, { Switch: 1 })
    refused.runs.handleResponse(response('run1', 'g1', 'failed'))
    expect(refused.runs.get('run1')).toMatchObject({ State: 'failed', Reason: 'hubOffline' })

    const away = setUp(() => Promise.reject(new Error('not connected')))
    away.runs.send('h1', { GroupID: 'g1' }, { Switch: 1 })
    await vi.waitFor(
      () => expect(away.runs.get('run1')).toMatchObject({ State: 'failed', Reason: 'notConnected' }),
      PATIENT,
    )
  })

  it('fails if the gateway sends nothing, and continues after any message', () => {
    vi.useFakeTimers()
    const silent = setUp()
    silent.runs.send('h1', { GroupID: 'g1' }, { Switch: 1 })
    const slow = setUp()
    slow.runs.send('h1', { GroupID: 'g1' }, { Switch: 1 })
    slow.runs.handleResponse(response('run1-0', 'a', 'sent'))
    vi.advanceTimersByTime(NO_ANSWER_MS)
    expect(silent.runs.get('run1')).toMatchObject({ State: 'failed', Reason: 'noAnswer' })
    expect(slow.runs.get('run1')?.State).toBe('pending')
    vi.useRealTimers()
  })

  it('is published to subscribers, and only the last hundred are kept', () => {
    const { runs } = setUp()
    const heard = vi.fn<() => void>()
    runs.subscribe(heard)
    for (let i = 0; i < 101; i++)
      runs.handleResponse(response(`r${String(i).padStart(3, 'a')}-0`, 'a', 'sent'))
    expect(heard).toHaveBeenCalledTimes(101)
    expect(runs.get('raa0')).toBeUndefined()
    expect(runs.get('r100')).toBeDefined()
  })
})
