import { describe, expect, it } from 'vitest'
import { channels, endpoints } from '../../contract/index.ts'
import { sampleOf } from '../../mock/samples.ts'

describe('a sample', () => {
  it.each(endpoints.filter(({ mutates }) => !mutates).map((endpoint) => [endpoint.path, endpoint] as const))(
    'of what %s answers is taken by its schema',
    (_path, { results }) => {
      expect(results.safeParse(sampleOf(results)).error?.issues ?? []).toEqual([])
    },
  )

  it('of a record differs from another one in its key', () => {
    const { payload } = channels.controlResponse
    const [one, other] = [1, 2].map((serial) => payload.parse(sampleOf(payload, serial)))
    expect(one?.PeripheralUID).not.toBe(other?.PeripheralUID)
  })
})
