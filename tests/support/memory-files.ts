import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Files } from '../../gateway/kernel/ports.ts'

/** In-memory file store; `stored` shows its content. */
export interface MemoryFiles extends Files {
  stored: Map<string, { bytes: Uint8Array; contentType: string }>
}

export function createMemoryFiles(): MemoryFiles {
  const stored: MemoryFiles['stored'] = new Map()
  return {
    stored,
    readLocationId: async () => 'memory',
    put: async (key, bytes, contentType) => void stored.set(key, { bytes, contentType }),
    get: async (key) => stored.get(key),
    remove: async (key) => void stored.delete(key),
    putStream: async (key, source, contentType) =>
      void stored.set(key, { bytes: await buffer(source), contentType }),
    async getStream(key, from = 0) {
      const bytes = stored.get(key)?.bytes
      return bytes && { stream: Readable.from([Buffer.from(bytes.subarray(from))]), size: bytes.length }
    },
  }
}
