import { diagnostics } from '../../../contract/devices/capabilities/capability.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { METER_SUMS, PSEUDO_FIELDS } from '../../../contract/automation/condition.ts'

const GENERAL: readonly string[] = [...PSEUDO_FIELDS, ...METER_SUMS, ...Object.keys(diagnostics.status)]

/** Whether devices of a type report a field; some fields are common to every type. */
export const hasStatusField = (type: string, field: string): boolean =>
  GENERAL.includes(field) || (deviceType(type)?.capabilities.some(({ status }) => field in status) ?? false)
