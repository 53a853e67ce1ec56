import { useQuery } from '@tanstack/react-query'
import { modbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import { callQuery } from '../../data/api.ts'

/** The company's Modbus tables; disabled if not needed. */
export const useModbusTables = (enabled = true) =>
  useQuery({ ...callQuery(modbusTable.operations.list, {}), enabled: enabled })
