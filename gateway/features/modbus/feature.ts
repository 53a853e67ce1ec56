import type { Deps, Feature } from '../../deps.ts'
import { modbusTableHandlers } from './modbus-table.ts'
import { createModbusTables } from './tables.ts'

/** How Modbus devices are read. */
export function modbus(deps: Deps) {
  const tables = createModbusTables(deps)
  return {
    handlers: { modbusTable: modbusTableHandlers },
    topics: { modbusRequest: tables.receive },
    close: tables.close,
  } satisfies Feature
}
