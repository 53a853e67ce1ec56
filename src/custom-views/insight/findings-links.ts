import type { Finding } from '../../../contract/procedures/findings.ts'
import { pathTo } from '../../paths.ts'
import { insightAddress } from './address.ts'

type LinkName = 'night' | 'schedule' | 'smartLink' | 'compare' | 'guard' | 'meters' | 'hours'

const NAMES: Readonly<Record<Finding['Kind'], readonly LinkName[]>> = {
  baseNight: ['night', 'schedule'],
  emptyRoom: ['smartLink', 'night'],
  baseWeekend: ['night', 'schedule'],
  leftOn: ['schedule', 'hours', 'night'],
  contract: ['compare'],
  plan: ['compare'],
  overContract: ['guard'],
  powerFactor: [],
  setPoint: ['schedule'],
  peakShift: ['schedule', 'night'],
  selfUse: ['schedule', 'night'],
  balanceFault: ['meters'],
  silent: ['meters'],
}

/** The screens on which something can be done about a finding. */
export const linksOf = ({ HomeID, Kind, Place }: Finding): { name: LinkName; to: string }[] =>
  NAMES[Kind].map((name) => ({ name, to: addressOf(name, HomeID, Place.MeterID) }))

function addressOf(name: LinkName, HomeID: string, MeterID: string | null): string {
  switch (name) {
    case 'night':
      return insightAddress(HomeID, { tab: 'profile', ...(MeterID !== null && { meters: MeterID }) })
    case 'schedule':
      return pathTo('updateSchedule', { HomeID })
    case 'smartLink':
      return pathTo('updateSmartLink', { HomeID })
    case 'compare':
      return pathTo('Tariff', { HomeID })
    case 'guard':
      return pathTo('updateAlarm', { HomeID })
    case 'meters':
    case 'hours':
      return pathTo('Meters', { HomeID })
  }
}
