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

describe('what a virtual meter counted', () => {
  it('is added and taken away from when all of its meters are known', () => {
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

  it('of one moment is what all of it amounts to, never half of it', () => {
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

  it('is unknown while one of them is, until that one tells again or the time is over', () => {
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

  it('is nothing where one of them never told, or there is none', () => {
    expect(added(plus(track([[0, 10]])), plus(track([])))).toEqual({ told: [], unknown: [] })
    expect(added()).toEqual({ told: [], unknown: [] })
  })
})
