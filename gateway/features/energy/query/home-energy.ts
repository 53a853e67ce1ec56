import { GatewayError } from '../../../errors.ts'
import type { Db } from '../../../store/db.ts'
import { demandOf } from './demand.ts'
import type { EnergyOptions } from './energy.ts'
import { loadProfile } from './load-profile.ts'
import { type HomeClock, homesOf } from './meters.ts'

/** What the energy of homes amounts to in each interval, for those who make bills of it. */
export const createHomeEnergy = (options: Pick<EnergyOptions, 'db' | 'settle'>) => ({
  homeOf: (tenant: string, HomeID: string): Promise<HomeClock> => homeOf(options.db, tenant, HomeID),
  loadProfile: (tenant: string, home: HomeClock, fromDay: number, endDay: number) =>
    loadProfile(options, tenant, home, fromDay, endDay),
  demandOf: (tenant: string, HomeID: string) => demandOf(options.db, tenant, HomeID),
})

/** Errors: NOT_FOUND. */
async function homeOf(db: Db, tenant: string, HomeID: string): Promise<HomeClock> {
  const [home] = await homesOf(db, tenant, HomeID)
  if (!home) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  return home
}
