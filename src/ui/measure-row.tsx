import { createContext, use, type ReactNode } from 'react'

const Measuring = createContext(false)

/** The hidden row by which a table measures its columns, which holds what its head holds once more. */
export const measureRow = (row: ReactNode): ReactNode => <Measuring value>{row}</Measuring>

/** Whether this is the copy for measuring: nothing in it may take the focus. */
export const useIsMeasured = (): boolean => use(Measuring)
