import { cloneElement, isValidElement, type ReactNode } from 'react'

/** The row by which a table measures its columns holds what its head holds once more: out of reach for keys and readers. */
export const inertMeasureRow = (row: ReactNode): ReactNode =>
  isValidElement<{ inert?: boolean }>(row) ? cloneElement(row, { inert: true }) : row
