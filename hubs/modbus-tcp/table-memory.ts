import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { ModbusRow } from '../../contract/devices/modbus/modbus-table.ts'
import type { Log } from '../lib/log.ts'

const AssignedTable = z.object({ rows: z.array(ModbusRow), frequencySeconds: z.number().positive() })
/** The table and the reading interval of one device. */
export type AssignedTable = z.infer<typeof AssignedTable>

/** Stored tables of the devices, so that a hub that starts while the gateway is unreachable can read them. */
export interface TableMemory {
  get(PeripheralUID: string): AssignedTable | undefined
  set(PeripheralUID: string, assigned: AssignedTable | undefined): void
  save(): void
}

/** Stores the tables in a file; an error is logged, and the hub requests the tables from the gateway in any case. */
export function createTableStore(file: string, log: Log): TableMemory {
  let tables: Record<string, AssignedTable> = {}
  try {
    tables = z.record(z.string(), AssignedTable).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ file }, 'stored Modbus tables unreadable, requesting them from the gateway')
  }
  let written = JSON.stringify(tables)

  function save(): void {
    const text = JSON.stringify(tables)
    if (text === written) return
    try {
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
      written = text
    } catch (error) {
      log.warn({ file, err: error }, 'Modbus tables not stored')
    }
  }

  return {
    get: (uid) => tables[uid],
    set(uid, assigned) {
      if (assigned) tables[uid] = assigned
      else delete tables[uid]
      save()
    },
    save,
  }
}
