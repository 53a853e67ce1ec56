import type { FieldReason } from '../../../../contract/kernel/reasons.ts'
import type { AutomationRule, AutomationType } from '../../../../contract/resources/automation.ts'

type Shape = Pick<AutomationRule, 'Schedule' | 'Booking' | 'Conditions'> & { AutomationType: AutomationType }

/** What is wrong with the parts of a rule for its type: paths with reasons, none when all is well. */
export function shapeProblems({ AutomationType: type, ...rule }: Shape): Record<string, FieldReason> {
  const problems: Record<string, FieldReason> = {}
  const isSchedule = type === 1 || type === 2
  for (const part of isSchedule ? (['Conditions'] as const) : (['Schedule', 'Booking'] as const))
    if (rule[part]) problems[part] = 'invalid'
  if (isSchedule) {
    if (type === 2 && rule.Booking) problems['Booking'] = 'invalid'
    if (rule.Schedule && rule.Booking) problems['Booking'] = 'invalid'
    else if (!rule.Schedule && !(type === 1 && rule.Booking)) problems['Schedule'] = 'required'
    else if (rule.Schedule && 'Weekdays' in rule.Schedule !== (type === 1)) problems['Schedule'] = 'invalid'
    return problems
  }
  if (!rule.Conditions) return { ...problems, Conditions: 'required' }
  const devices = new Set(rule.Conditions.PeripheralUIDs.map(({ PeripheralUID }) => PeripheralUID))
  if (type === 3 && devices.size > 1) problems['Conditions.PeripheralUIDs'] = 'tooManyDevices'
  if (type === 5 && devices.size < 2) problems['Conditions.PeripheralUIDs'] = 'required'
  return problems
}
