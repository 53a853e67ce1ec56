import type { SentOf } from '../../contract/kernel/define-endpoint.ts'
import { automation } from '../../contract/resources/automation.ts'
import { inTurns, type Owner } from '../support/company.ts'

type Given = SentOf<typeof automation.operations.create>

/** A smart link that switches a light when a value of a device crosses a limit, or is one. */
export const smartLink = (
  HomeID: string,
  AutomationName: string,
  [watched, Field, limit]: readonly [string, string, number],
  light: string,
  on: 0 | 1 = 1,
  Logical: '>' | '=' = '>',
): Given => ({
  HomeID,
  AutomationName,
  AutomationType: 3,
  Conditions: { PeripheralUIDs: [{ PeripheralUID: watched, Field, Logical, Status: limit }] },
  Actions: [{ PeripheralUID: light, Values: { Switch: on } }],
})

/** A schedule that switches a light once. */
export const once = (HomeID: string, AutomationName: string, At: number, light: string): Given => ({
  HomeID,
  AutomationName,
  AutomationType: 2,
  Schedule: { At },
  Actions: [{ PeripheralUID: light, Values: { Switch: 1 } }],
})

/** Saves rules, a few at a time. */
export const saveRules = ({ call }: Owner, rules: readonly Given[]): Promise<void> =>
  inTurns(rules, (rule) => call(automation.operations.create, rule))
