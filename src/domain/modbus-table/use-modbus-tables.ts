import { useQuery } from '@tanstack/react-query'
import { modbusTable } from '../../../contract/resources/modbus-table.ts'
import { callQuery } from '../../data/api.ts'

/** The company's Modbus tables. */
export const useModbusTables = () => useQuery(callQuery(modbusTable.operations.list, {}))
