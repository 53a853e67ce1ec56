import { isVirtual, type NamedMeter } from '../../domain/energy/use-names.ts'

/**
 * Whether some of the chosen meters may count the same energy, which a sum would count twice: where one stands above another, and
 * where a virtual meter is beside another one.
 */
export function overlaps(chosen: readonly string[], meters: ReadonlyMap<string, NamedMeter>): boolean {
  if (chosen.length > 1 && chosen.some(isVirtual)) return true
  const wanted = new Set(chosen)
  return chosen.some((id) => {
    const passed = new Set<string>()
    for (let above = meters.get(id)?.ParentMeter; above && !passed.has(above);) {
      if (wanted.has(above)) return true
      passed.add(above)
      above = meters.get(above)?.ParentMeter
    }
    return false
  })
}
