import { createContext } from 'react'

/** Told by a bar whether it still shows something of what was chosen, e.g. how deleting it went. */
export const HasBulkBar = createContext<(holds: boolean) => void>(() => {})
