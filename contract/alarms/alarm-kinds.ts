import type { DeviceStatus } from '../devices/kinds/status.ts'
import type { Peripheral } from '../devices/peripheral.ts'
import { isMeter } from '../devices/kinds/registry.ts'
import type { Severity } from '../kernel/severity.ts'
import { capabilitiesOf } from '../devices/device-health.ts'

/** Time in ms after which a disconnected hub counts as lost rather than reconnecting. */
export const HUB_LOST_AFTER_MS = 60_000
/** Time in ms that readings must be outside their limits to raise an alarm, or within them to clear it. */
export const BREACH_HOLD_MS = 60_000
/** Time in ms after it was added within which a device should send its first report. */
export const FIRST_REPORT_TIMEOUT_MS = 600_000
/** Share of the contract capacity at which the demand of a home needs attention. */
export const DEMAND_WARNING_SHARE = 0.95
/** Number of missed reports after which a meter is silent. */
const REPORTS_DUE = 3

export const meterSilentAfter = ({
  PowerMeterUpdateFrequency,
}: Pick<Peripheral, 'PowerMeterUpdateFrequency'>): number => REPORTS_DUE * PowerMeterUpdateFrequency * 1000

/** Severity by kind of attention item and alarm. Information raises no alarm, nor does a low battery. */
export const SEVERITY_OF = {
  /** urgent: a state means alarm rather than warning. */
  state: (urgent: boolean) => (urgent ? 'critical' : 'warning'),
  breach: () => 'critical',
  /** matters: a device behind the hub is vital (`isVital`). */
  hubLost: (isRelevant: boolean) => (isRelevant ? 'critical' : 'warning'),
  meterSilent: () => 'warning',
  silent: (device: Pick<Peripheral, 'PeripheralType' | 'SilentAfter'>) =>
    isMissed(device) ? 'warning' : 'info',
  lowBattery: () => 'warning',
  /** isOver: the contract capacity is reached; each kW above it is fined. */
  demand: (isOver: boolean) => (isOver ? 'critical' : 'warning'),
  neverSeen: () => 'info',
  quarantined: () => 'info',
} as const satisfies Record<string, (facts: never) => Severity>

/** Whether the silence of a device needs immediate action: smoke detectors, doors, and meters without a parent meter. */
export const isVital = (
  device: Pick<Peripheral, 'PeripheralType' | 'ParentMeter'>,
  status: DeviceStatus | undefined,
): boolean =>
  (device.ParentMeter === null && isMeter(device, status)) ||
  capabilitiesOf(device.PeripheralType).some(({ name }) => name === 'smoke' || name === 'door')

/** Whether the silence of a device is a warning: it can report an alarm or a warning, or a user set its silence limit. */
const isMissed = ({ PeripheralType, SilentAfter }: Pick<Peripheral, 'PeripheralType' | 'SilentAfter'>) =>
  SilentAfter !== null ||
  capabilitiesOf(PeripheralType).some(({ choices = {} }) =>
    Object.values(choices).some((values) =>
      values.some(([, , meaning]) => meaning === 'alarm' || meaning === 'warning'),
    ),
  )
