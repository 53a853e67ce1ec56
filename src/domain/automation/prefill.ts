import type { z } from 'zod'
import { AutomationRule } from '../../../contract/automation/automation.ts'
import { pathTo } from '../../navigation/paths.ts'

/** In an address of the editor, what a new schedule begins with. */
const PARAMETER = 'prefill'

const Prefill = AutomationRule.pick({
  AutomationName: true,
  Schedule: true,
  Booking: true,
  Actions: true,
}).refine(({ Schedule, Booking }) => (Schedule === undefined) !== (Booking === undefined))

/** What a schedule that is offered begins with: when, and what it does as far as that is known. */
export type Prefill = z.output<typeof Prefill>

/** The address at which a new schedule of a home is edited that begins with something. */
export const prefilledRuleUrl = (HomeID: string, prefill: Prefill): string =>
  `${pathTo('updateSchedule', { HomeID })}?${new URLSearchParams({ [PARAMETER]: JSON.stringify(prefill) })}`

/** What the address says that a new schedule begins with; undefined when it says nothing, or nothing that can be one. */
export function prefillIn(search: URLSearchParams): Prefill | undefined {
  const text = search.get(PARAMETER)
  if (text === null) return undefined
  try {
    return Prefill.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
