import type { useLeaveGuard } from '../../ui/page/use-leave-guard.ts'
import type { NamedMeter } from '../../domain/energy/use-names.ts'

/** Keeps what was typed on the page and is not saved. */
export type Guard = ReturnType<typeof useLeaveGuard>

/** The home that is spoken of, with its clock and its meters by name. */
export interface Place {
  homeId: string
  zone: string
  meters: ReadonlyMap<string, NamedMeter>
  /** Its sums and differences of meters. */
  virtual: ReadonlyMap<string, NamedMeter>
  /** Both as they stand below each other today; of sums and differences those that have a role. */
  tree: ReadonlyMap<string, NamedMeter>
  /** The name of a meter; its id where there is none any more. */
  nameOf: (id: string) => string
}
