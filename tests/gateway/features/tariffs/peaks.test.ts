import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDay, startOfDay } from '../../../../contract/time/periods.ts'
import type { EnergyOfHomes } from '../../../../gateway/features/tariffs/ports.ts'
import { createPeaks } from '../../../../gateway/features/tariffs/peaks.ts'
import { avoidedEnergyOf } from '../../../../gateway/features/contract-guard/write-sheddings.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

const zone = 'Asia/Taipei'
const QUARTER = 900_000
let world: World
let root: Caller
let HomeID: string

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: zone })).results.HomeID
  // A contract of 40 kW, at 236.2 NT$ per kW in summer.
  await root.post('/UpdateHomeTariff', { HomeID, Tariffs: [homeTariff({ Capacities: { regular: 40 } })] })
})
afterAll(() => world.close())

/** 36 kW all the time: 9 kWh in each quarter of an hour. */
const energy: Pick<EnergyOfHomes, 'readHome' | 'loadProfile'> = {
  readHome: async () => ({ HomeID, zone }),
  loadProfile: async (_, __, from, end) =>
    new Map(
      Array.from({ length: end - from }, (_one, i) => [
        from + i,
        {
          kWh: new Float64Array(96).fill(9),
          known: 96,
          total: 96,
          measured: new Int32Array(96).fill(1),
          resolved: new Int32Array(96).fill(1),
        },
      ]),
    ),
}
/** First ms of a quarter of an hour on Wednesday 2026-07-08, a peak day. */
const at = (quarter: number) => startOfDay(parseDay('2026-07-08'), zone) + quarter * QUARTER

describe('the saving by load shedding', () => {
  it('counts what a load would have drawn, quarter by quarter', () => {
    const spared = avoidedEnergyOf([
      { kw: 12, from: at(64) + 600_000, to: at(65) + 300_000 },
      { kw: null, from: at(64), to: at(65) },
      { kw: 12, from: at(65), to: at(65) + 300_000 },
    ])
    expect([...spared]).toEqual([
      [at(64), 1],
      [at(65), 2],
    ])
  })

  it('is the charge for demand beyond the contract, once per billing period and band', async () => {
    const peaks = createPeaks({ db: world.db, energy })
    // 1.5 kWh in a quarter are 6 kW: 42 kW would have been 2 above the contract, charged at twice the rate.
    const found = await peaks.readAvoided(
      root.tenant,
      HomeID,
      new Map([
        [at(70), 1.5],
        [at(72), 1.5],
      ]),
    )
    expect(found).toMatchObject([{ From: '2026-07-01', Band: 'peak', Peak: 36, PeakWithout: 42 }])
    expect(found[0]?.Cost).toBeCloseTo(2 * 2 * 236.2, 2)
  })

  it('is zero if the demand stayed below the contract anyway', async () => {
    const peaks = createPeaks({ db: world.db, energy })
    const [found] = await peaks.readAvoided(root.tenant, HomeID, new Map([[at(70), 0.5]]))
    expect(found).toMatchObject({ PeakWithout: 38, Cost: 0 })
  })

  it('uses the contract in force and the peak that is billed anyway', async () => {
    const peaks = createPeaks({ db: world.db, energy })
    expect(await peaks.readAllowed(root.tenant, HomeID, at(70), true)).toEqual({ Limit: 40, billed: 36 })
    expect(await peaks.readAllowed(root.tenant, HomeID, at(70), false)).toEqual({ Limit: 40, billed: null })
    const without = { ...energy, readHome: async () => ({ HomeID: 'none', zone }) }
    const unknown = createPeaks({ db: world.db, energy: without })
    expect(await unknown.readAllowed(root.tenant, 'none', at(70), true)).toEqual({
      Limit: null,
      billed: null,
    })
  })
})
