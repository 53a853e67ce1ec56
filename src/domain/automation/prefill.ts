import type { z } from 'zod'
import { AutomationRule } from '../../../contract/automation/automation.ts'
import { pathTo } from '../../navigation/paths.ts'

/** Query parameter of the editor with the initial values of a new schedule. */
const PARAMETER = 'prefill'

const Prefill = AutomationRule.pick({
  AutomationName: true,
  Schedule: true,
  Booking: true,
  Actions: true,
}).refine(({ Schedule, Booking }) => (Schedule === undefined) !== (Booking === undefined))

/** Initial values of a suggested schedule: its time and, as far as known, its actions. */
export type Prefill = z.output<typeof Prefill>

/** URL of the editor for a new schedule with initial values. */
export const prefilledRuleUrl = (HomeID: string, prefill: Prefill): string =>
  `${pathTo('updateSchedule', { HomeID })}?${new URLSearchParams({ [PARAMETER]: JSON.stringify(prefill) })}`

/** Initial values in the URL; undefined if there are none or they are invalid. */
export function prefillIn(search: URLSearchParams): Prefill | undefined {
  const text = search.get(PARAMETER)
  if (text === null) return undefined
  try {
    return Prefill.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
