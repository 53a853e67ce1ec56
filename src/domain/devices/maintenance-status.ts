import { createContext } from 'react'
import type { Maintenance } from '../../../contract/alarms/calls.ts'

/** Current maintenances for the rows of a list; one query per row would be slow in a list of thousands. */
export const DevicesInMaintenance = createContext<readonly Maintenance[]>([])
