import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { FleetMemory } from './fleet.ts'

/** State of an earlier fleet from a file; undefined if the file is missing or unreadable. */
export function readMemory(path: string): FleetMemory | undefined {
  try {
    const memory = JSON.parse(readFileSync(path, 'utf8')) as FleetMemory
    return typeof memory.at === 'number' && typeof memory.states === 'object' ? memory : undefined
  } catch {
    return undefined
  }
}

/** Writes a fleet's state to a file atomically. */
export function createMemoryFile(path: string): (memory: FleetMemory) => void {
  mkdirSync(dirname(path), { recursive: true })
  return (memory) => {
    const next = `${path}.next`
    writeFileSync(next, JSON.stringify(memory))
    renameSync(next, path)
  }
}
