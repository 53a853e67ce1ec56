import type { Entity, NotShown } from './entities/entity.ts'
import { mapDevice } from './map-device.ts'
import { notShown, type Peripheral } from './peripheral.ts'
import type { Problems } from './problems.ts'

/** Maximum number of entities, far above that of any building; more are broken or malicious. */
const MAX_ENTITIES = 20_000

/** The announced entities, and the peripherals built from them. */
export function createCatalog(problems: Problems) {
  const places = new Map<string, { rank: number; entities: readonly Entity[] }>()
  const devices = new Map<string, Map<Entity, number>>()
  const peripherals = new Map<string, Peripheral>()
  const byDevice = new Map<string, Peripheral[]>()
  const byEntity = new Map<Entity, Peripheral[]>()
  const unsettled = new Set<string>()
  let count = 0

  function removeEntity(entity: Entity): void {
    const { key } = entity.device
    const device = devices.get(key)
    if (!device?.delete(entity)) return
    count--
    if (device.size === 0) devices.delete(key)
    unsettled.add(key)
  }

  return {
    /** Replaces the entities of a place of announcement; returns the added and the removed ones. */
    announce(
      place: string,
      rank: number,
      entities: readonly Entity[],
    ): { added: Entity[]; removed: Entity[] } {
      const removed = [...(places.get(place)?.entities ?? [])]
      for (const entity of removed) removeEntity(entity)
      places.delete(place)
      const added: Entity[] = []
      const rejected: NotShown[] = []
      for (const entity of entities) {
        if (count >= MAX_ENTITIES) {
          rejected.push(notShown(entity, 'tooMany', `more than ${MAX_ENTITIES}`))
          continue
        }
        const device = devices.get(entity.device.key) ?? new Map<Entity, number>()
        devices.set(entity.device.key, device.set(entity, rank))
        unsettled.add(entity.device.key)
        added.push(entity)
        count++
      }
      problems.replace('tooMany', place, rejected)
      if (added.length > 0) places.set(place, { rank, entities: added })
      return { added, removed }
    },

    /** Builds peripherals of the devices that have changed; returns whether the list of peripherals changed. */
    buildPeripherals(): boolean {
      let changed = false
      for (const key of unsettled) {
        const before = byDevice.get(key) ?? []
        for (const { PeripheralUID, entities } of before) {
          peripherals.delete(PeripheralUID)
          for (const entity of entities) byEntity.delete(entity)
        }
        const entities = devices.get(key) ?? new Map<Entity, number>()
        const best = Math.max(...entities.values())
        const mapped = mapDevice([...entities].flatMap(([entity, rank]) => (rank === best ? [entity] : [])))
        problems.replace('unmapped', `device ${key}`, mapped.unmapped)
        byDevice.set(key, mapped.peripherals)
        if (mapped.peripherals.length === 0) byDevice.delete(key)
        for (const peripheral of mapped.peripherals) {
          peripherals.set(peripheral.PeripheralUID, peripheral)
          for (const entity of new Set(peripheral.entities))
            byEntity.set(entity, [...(byEntity.get(entity) ?? []), peripheral])
        }
        const text = (list: readonly Peripheral[]) =>
          JSON.stringify(list.map(({ PeripheralUID, PeripheralName }) => [PeripheralUID, PeripheralName]))
        changed ||= text(before) !== text(mapped.peripherals)
      }
      unsettled.clear()
      return changed
    },

    peripheral: (uid: string): Peripheral | undefined => peripherals.get(uid),
    peripherals: (): readonly Peripheral[] => [...peripherals.values()],
    /** Peripherals that the entity is a part of. */
    madeOf: (entity: Entity): readonly Peripheral[] => byEntity.get(entity) ?? [],
    figures: () => ({ entities: count, devices: devices.size, peripherals: peripherals.size }),
  }
}
