import type { ReactNode } from 'react'

/** One thing that a list or a chart is narrowed to, or shown by. */
export interface BarFilter {
  key: string
  label: string
  /** What is chosen, in words; undefined while it is as it is for everybody. */
  chosen: string | undefined
  clear: () => void
  input: ReactNode
}
