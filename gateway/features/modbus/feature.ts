import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { modbusTableHandlers } from './modbus-table.ts'
import type { ModbusPorts } from './ports.ts'
import { createModbusTables } from './tables.ts'

export function modbus(deps: Deps, ports: ModbusPorts) {
  const tables = createModbusTables(deps)
  return {
    handlers: { modbusTable: modbusTableHandlers(ports) },
    topics: { modbusRequest: tables.receive },
    close: tables.close,
  } satisfies Feature
}
