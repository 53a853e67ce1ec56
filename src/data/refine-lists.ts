import type { ResourceName } from '../../contract/index.ts'

/** Lists whose rows also say something of other records: a room counts its devices, a home its rooms and their contents. */
const shownIn: Readonly<Record<string, readonly ResourceName[]>> = {
  room: ['room', 'home'],
  thing: ['thing', 'room', 'home'],
  peripheral: ['peripheral', 'room', 'home'],
  department: ['department', 'user', 'employee'],
}

/** The resources whose Refine lists show records of an entity, itself first. */
export const listsShowing = (entity: string): readonly string[] => shownIn[entity] ?? [entity]

/** The key below which Refine caches everything of a resource. */
export const refineKey = (resource: string): readonly unknown[] => ['data', 'default', resource]
