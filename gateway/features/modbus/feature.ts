import type { Deps, Feature } from '../../kernel/deps.ts'
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
