/** How long a measurement may take. `quick` gives a first impression: fewer and shorter runs. */
export interface Options {
  quick: boolean
}

/** One figure of a measurement, with the figure it is compared to in the same run. */
export interface Figure {
  what: string
  value: number
  /** 'ms', 'µs', 'KB', 'fps', … or '' for a bare number. */
  unit: string
  reference?: { what: string; value: number }
  /** What the bar is laid on: the value itself, or its ratio to the reference. None: for information. */
  bar?: { of: 'value' | 'ratio'; most?: number; least?: number }
  /** What else was seen, in a few words. */
  note?: string
}

/** Prints nothing, stops by itself, leaves no process. */
export type Measure = (options: Options) => Promise<Figure[]>

/** A file of this directory: measured as a whole, or in parts of which each stands alone. */
export type Measurement = {
  name: string
  /** The bar in words. */
  bar: string
} & ({ measure: Measure } | { parts: Readonly<Record<string, Measure>> })

/** Value divided by reference; undefined without one. */
export const ratioOf = ({ value, reference }: Figure): number | undefined =>
  reference && value / reference.value

/** Whether the bar is met; undefined for figures without one. */
export function isMet(figure: Figure): boolean | undefined {
  const { bar, value } = figure
  if (!bar) return undefined
  const judged = bar.of === 'value' ? value : (ratioOf(figure) ?? Number.NaN)
  return judged <= (bar.most ?? Infinity) && judged >= (bar.least ?? -Infinity)
}
