import type { ReactNode } from 'react'

/** One filter of a list, or one display option of a chart. */
export interface BarFilter {
  key: string
  label: string
  /** Text of the chosen value; undefined while the filter has its default. */
  chosenLabel: string | undefined
  clear: () => void
  input: ReactNode
  /** On every screen behind the button that on phones opens all filters: for filters that few users need. */
  isFolded?: boolean
}
