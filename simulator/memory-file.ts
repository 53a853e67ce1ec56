import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { FleetMemory } from './fleet.ts'

/** What an earlier fleet kept in a file, or undefined when there is none that can be read. */
export function readMemory(path: string): FleetMemory | undefined {
  try {
    const memory = JSON.parse(readFileSync(path, 'utf8')) as FleetMemory
    return typeof memory.at === 'number' && typeof memory.states === 'object' ? memory : undefined
  } catch {
    return undefined
  }
}

/** Keeps a fleet's memory in a file that is whole at every moment, as a meter's own memory is. */
export function createMemoryFile(path: string): (memory: FleetMemory) => void {
  mkdirSync(dirname(path), { recursive: true })
  return (memory) => {
    const next = `${path}.next`
    writeFileSync(next, JSON.stringify(memory))
    renameSync(next, path)
  }
}
