import { createContext } from 'react'

/** Callback with which a bar reports that it still shows results of an action, e.g. of a deletion. */
export const HasBulkBar = createContext<(isShowing: boolean) => void>(() => {})
