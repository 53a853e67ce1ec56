import type { useLeaveGuard } from '../../../ui/page/leave-guards.ts'
import type { NamedMeter } from '../../../domain/energy/use-names.ts'

/** Guard against leaving the page with unsaved input. */
export type Guard = ReturnType<typeof useLeaveGuard>

/** Home of the page, with its time zone and meters. */
export interface Place {
  homeId: string
  zone: string
  meters: ReadonlyMap<string, NamedMeter>
  virtual: ReadonlyMap<string, NamedMeter>
  /** Today's tree of both; only virtual meters with a role are included. */
  tree: ReadonlyMap<string, NamedMeter>
  /** Name of a meter; its id if it no longer exists. */
  nameOf: (id: string) => string
}
