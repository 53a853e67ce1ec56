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

/** A file of this directory: prints nothing, stops by itself, leaves no process. */
export interface Measurement {
  name: string
  /** The bar in words. */
  bar: string
  measure(options: Options): Promise<Figure[]>
}

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
