import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { modbusTable } from '../../../contract/resources/modbus-table.ts'
import { callKey, callQuery, queryClient } from '../../data/api.ts'
import { onChange } from '../../live/refine-live.ts'

/** The company's Modbus tables, fetched again when one changes anywhere. */
export function useModbusTables() {
  useEffect(
    () =>
      onChange(({ name }) => {
        if (name.startsWith('modbusTable.'))
          void queryClient.invalidateQueries({ queryKey: callKey(modbusTable.operations.list) })
      }),
    [],
  )
  return useQuery(callQuery(modbusTable.operations.list, {}))
}
