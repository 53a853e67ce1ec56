import { createContext, useContext } from 'react'

/** Reason why devices cannot be controlled at present, in the user's language; undefined while they can be. */
export const NoControl = createContext<string | undefined>(undefined)

export const useNoControl = (): string | undefined => useContext(NoControl)
