/** Options of a measurement. `quick` gives a first impression: fewer and shorter runs. */
export interface Options {
  quick: boolean
}

/** One figure of a measurement, with a reference figure of the same run. */
export interface Figure {
  what: string
  value: number
  /** 'ms', 'µs', 'KB', 'fps', … or '' for a bare number. */
  unit: string
  reference?: { what: string; value: number }
  /** Limit of the value itself, or of its ratio to the reference. Absent for an informational figure. */
  bar?: { of: 'value' | 'ratio'; max?: number; min?: number }
  note?: string
}

/** A measurement; prints nothing, ends by itself, leaves no process. */
export type Measure = (options: Options) => Promise<Figure[]>

/** A file of this directory: one measurement, or independent parts. */
export type Measurement = {
  name: string
  bar: string
} & ({ measure: Measure } | { parts: Readonly<Record<string, Measure>> })

/** Value divided by reference; undefined without one. */
export const ratioOf = ({ value, reference }: Figure): number | undefined =>
  reference && value / reference.value

/** Whether the limit is met; undefined for figures without one. */
export function isMet(figure: Figure): boolean | undefined {
  const { bar, value } = figure
  if (!bar) return undefined
  const compared = bar.of === 'value' ? value : (ratioOf(figure) ?? Number.NaN)
  return compared <= (bar.max ?? Infinity) && compared >= (bar.min ?? -Infinity)
}
