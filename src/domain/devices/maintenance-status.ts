import { createContext } from 'react'
import type { Maintenance } from '../../../contract/alarms/maintenance-calls.ts'

/** What is in maintenance, for the rows of a list: each of its own asking would cost a list of thousands. */
export const DevicesInMaintenance = createContext<readonly Maintenance[]>([])
