import type { DeviceStatus } from '../devices/kinds/status.ts'
import type { Peripheral } from '../devices/peripheral.ts'
import { isMeter } from '../meters/is-meter.ts'
import type { Severity } from '../kernel/severity.ts'
import { capabilitiesOf } from '../devices/troubles.ts'

/** A hub that is away for less, in ms, is only reconnecting. */
export const HUB_LOST_AFTER_MS = 60_000
/** Readings must be outside of their limits, or within them again, for so many ms to raise an alarm, or to clear it. */
export const BREACH_HOLD_MS = 60_000
/** A device that has not reported so long after it was added, ms, has never been seen. */
export const FIRST_REPORT_TIMEOUT_MS = 600_000
/** The share of its contract from which the demand of a home needs somebody. */
export const DEMAND_WARNING_SHARE = 0.95
/** A meter is silent when so many of its reports are due. */
const REPORTS_DUE = 3

/** The ms without a report after which a meter is silent. */
export const meterSilentAfter = ({
  PowerMeterUpdateFrequency,
}: Pick<Peripheral, 'PowerMeterUpdateFrequency'>): number => REPORTS_DUE * PowerMeterUpdateFrequency * 1000

/**
 * How much each kind of what needs somebody matters: what asks for attention and what raises an alarm have it from here. Information
 * raises none, nor does a low battery.
 */
export const SEVERITY_OF = {
  /** urgent: a state means alarm, and not only warning. */
  state: (urgent: boolean) => (urgent ? 'critical' : 'warning'),
  breach: () => 'critical',
  /** matters: something hangs on the hub of which somebody must know at once that it is not heard. */
  hubLost: (matters: boolean) => (matters ? 'critical' : 'warning'),
  meterSilent: () => 'warning',
  silent: (device: Pick<Peripheral, 'PeripheralType' | 'SilentAfter'>) =>
    isMissed(device) ? 'warning' : 'info',
  lowBattery: () => 'warning',
  /** isOver: the contract is reached, and each kW beyond it is fined. */
  demand: (isOver: boolean) => (isOver ? 'critical' : 'warning'),
  neverSeen: () => 'info',
  quarantined: () => 'info',
} as const satisfies Record<string, (facts: never) => Severity>

/** Whether somebody must know at once that a device is not heard: smoke, doors, the main meters. */
export const isVital = (
  device: Pick<Peripheral, 'PeripheralType' | 'ParentMeter'>,
  status: DeviceStatus | undefined,
): boolean =>
  (device.ParentMeter === null && isMeter(device, status)) ||
  capabilitiesOf(device.PeripheralType).some(({ name }) => name === 'smoke' || name === 'door')

/** Whether somebody is to know that a device is silent: it can warn, or a person said after how long it is silent. */
const isMissed = ({ PeripheralType, SilentAfter }: Pick<Peripheral, 'PeripheralType' | 'SilentAfter'>) =>
  SilentAfter !== null ||
  capabilitiesOf(PeripheralType).some(({ choices = {} }) =>
    Object.values(choices).some((values) =>
      values.some(([, , meaning]) => meaning === 'alarm' || meaning === 'warning'),
    ),
  )
