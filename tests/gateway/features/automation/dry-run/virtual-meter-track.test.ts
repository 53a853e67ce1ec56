import { describe, expect, it } from 'vitest'
import type { Track } from '../../../../../gateway/features/automation/logic/replay.ts'
import { addedTrack, type TermTrack } from '../../../../../gateway/features/automation/dry-run/read-tracks.ts'

const END = 100

const track = (values: [at: number, value: number][], more: Partial<Track> = {}): Track => ({
  at: values.map(([at]) => at),
  values: values.map(([, value]) => value),
  goodFor: null,
  unknown: [],
  ...more,
})
const plus = (one: Track): TermTrack => ({ Factor: 1, track: one })
const minus = (one: Track): TermTrack => ({ Factor: -1, track: one })

function added(...terms: TermTrack[]) {
  const work = addedTrack(terms, END)
  for (;;) {
    const { done, value } = work.next()
    if (!done) continue
    const { at, values, unknown } = value
    return { told: at.map((one, i) => [one, values[i]]), unknown }
  }
}

describe('the track of a virtual meter', () => {
  it('adds and subtracts meters while all of them are known', () => {
    const all = plus(
      track([
        [0, 10],
        [20, 30],
      ]),
    )
    const tenants = minus(
      track([
        [10, 4],
        [30, 5],
      ]),
    )
    expect(added(all, tenants)).toEqual({
      told: [
        [10, 6],
        [20, 26],
        [30, 25],
      ],
      unknown: [],
    })
  })

  it('is one total per time, never a partial one', () => {
    const [all, tenants] = [
      plus(
        track([
          [0, 10],
          [20, 0],
        ]),
      ),
      minus(
        track([
          [0, 4],
          [20, 0],
        ]),
      ),
    ]
    expect(added(all, tenants).told).toEqual([
      [0, 6],
      [20, 0],
    ])
  })

  it('is unknown while one meter is, until its next value or the end of the period', () => {
    const all = plus(track([[0, 10]]))
    const quiet = plus(
      track(
        [
          [0, 1],
          [50, 2],
        ],
        { goodFor: 10 },
      ),
    )
    expect(added(all, quiet)).toEqual({
      told: [
        [0, 11],
        [50, 12],
      ],
      unknown: [
        { from: 10, to: 50 },
        { from: 60, to: END },
      ],
    })
    const away = plus(track([[0, 1]], { unknown: [{ from: 20, to: 30 }] }))
    expect(added(all, away)).toMatchObject({ unknown: [{ from: 20, to: 30 }] })
  })

  it('is empty if one meter never reported or is missing', () => {
    expect(added(plus(track([[0, 10]])), plus(track([])))).toEqual({ told: [], unknown: [] })
    expect(added()).toEqual({ told: [], unknown: [] })
  })
})
