import { describe, expect, it } from 'vitest'
import { endpoints } from '../../contract/index.ts'
import {
  ENTITIES,
  ENTITIES_WITHOUT_EVENTS,
  type Entity,
  type ShownEntity,
} from '../../contract/kernel/entities.ts'

const reading = endpoints.filter(({ mutates }) => !mutates)
const mutating = endpoints.filter(({ mutates }) => mutates)
const pathsOf = (calls: typeof endpoints) => calls.map(({ path }) => path)

/**
 * Entities that no call changes: the gateway itself publishes them when readings arrive, a credential is scanned, or a guard sheds load.
 */
const OF_THE_GATEWAY: readonly Entity[] = ['quarantinedReading', 'scanEvent', 'shedding']

describe('every call', () => {
  it('that reads shows an entity, or says why it shows none', () => {
    expect(pathsOf(reading.filter(({ shows, why }) => (shows.length === 0) !== (why !== undefined)))).toEqual(
      [],
    )
  })

  it('that mutates changes an entity, or says why it changes none', () => {
    expect(
      pathsOf(mutating.filter(({ changes, why }) => (changes.length === 0) !== (why !== undefined))),
    ).toEqual([])
  })

  it('either shows or changes, and names each entity once', () => {
    expect(pathsOf(reading.filter(({ changes }) => changes.length > 0))).toEqual([])
    expect(pathsOf(mutating.filter(({ shows }) => shows.length > 0))).toEqual([])
    expect(
      pathsOf(
        endpoints.filter(
          ({ shows, changes }) =>
            new Set(shows).size < shows.length || new Set(changes).size < changes.length,
        ),
      ),
    ).toEqual([])
  })

  it('whose answer is corrected in place shows something and does not page', () => {
    const inPlace = endpoints.filter((call) => call.inPlace)
    expect(inPlace.length).toBeGreaterThan(0)
    expect(
      pathsOf(inPlace.filter(({ shows, input }) => shows.length === 0 || 'Cursor' in input.shape)),
    ).toEqual([])
  })
})

describe('every entity', () => {
  it('is shown by a call', () => {
    const shown = new Set<ShownEntity>(reading.flatMap(({ shows }) => shows))
    expect([...ENTITIES, ...ENTITIES_WITHOUT_EVENTS].filter((entity) => !shown.has(entity))).toEqual([])
  })

  it('is changed by a call, or is one that the gateway tells of by itself', () => {
    const changed = new Set<ShownEntity>(mutating.flatMap(({ changes }) => changes))
    expect(ENTITIES.filter((entity) => !changed.has(entity))).toEqual(OF_THE_GATEWAY)
  })
})
