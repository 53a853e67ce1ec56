import { meter } from '../capabilities/meter.ts'
import { modbus } from '../capabilities/modbus.ts'
import type { DeviceKind } from './device-kind.ts'

const capabilities = [modbus, meter({ voltage: true, phases: 3 })]

/**
 * A device behind Modbus: 758 over TCP, 530 behind a hub of its own (§3). Most are meters: rows of its table that are
 * marked as a meter's fields make it one, so that energy pages count it.
 */
export const modbusDevice = {
  kind: 'modbus',
  category: 'ModBus',
  variants: { 530: capabilities, 758: capabilities },
} as const satisfies DeviceKind
