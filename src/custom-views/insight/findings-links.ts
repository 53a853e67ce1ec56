import type { Finding } from '../../../contract/findings/calls.ts'
import { pathTo } from '../../navigation/paths.ts'
import { prefilledRuleUrl, type Prefill } from '../../domain/automation/prefill.ts'
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
  measure: ['night'],
}

/**
 * The screens on which something can be done about a finding.
 *
 * schedule  what a new schedule begins with; an empty one where nobody knows
 */
export const linksOf = (
  { HomeID, Kind, Place }: Finding,
  schedule?: Prefill,
): { name: LinkName; to: string }[] =>
  NAMES[Kind].map((name) => ({ name, to: addressOf(name, HomeID, Place.MeterID, schedule) }))

function addressOf(
  name: LinkName,
  HomeID: string,
  MeterID: string | null,
  schedule: Prefill | undefined,
): string {
  switch (name) {
    case 'night':
      return insightAddress(HomeID, { tab: 'profile', ...(MeterID !== null && { meters: MeterID }) })
    case 'schedule':
      return schedule ? prefilledRuleUrl(HomeID, schedule) : pathTo('updateSchedule', { HomeID })
    case 'smartLink':
      return pathTo('updateSmartLink', { HomeID })
    case 'compare':
      return `${pathTo('Tariff', { HomeID })}?tab=compare`
    case 'guard':
      return pathTo('updateAlarm', { HomeID })
    case 'meters':
      return pathTo('Meters', { HomeID })
    case 'hours':
      return `${pathTo('Meters', { HomeID })}?tab=places`
  }
}
