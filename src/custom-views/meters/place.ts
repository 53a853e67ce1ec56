import type { NamedMeter } from '../electricity/use-names.ts'

/** The home that is spoken of, with its clock and its meters by name. */
export interface Place {
  homeId: string
  zone: string
  meters: ReadonlyMap<string, NamedMeter>
  /** The name of a meter; its id where there is none any more. */
  nameOf: (id: string) => string
}
