import { createContext, useContext } from 'react'

/** Reason why no device can be controlled at present, in the user's words; undefined while devices can be controlled. */
export const NoControl = createContext<string | undefined>(undefined)

export const useNoControl = (): string | undefined => useContext(NoControl)
