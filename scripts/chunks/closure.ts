import type { Rolldown } from 'vite'

/** Chunks of a build, by file name. */
export type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>

export const chunksOf = (bundle: Rolldown.OutputBundle): Chunks =>
  new Map(
    Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  )

/** The given files and all files that they import, directly or indirectly. */
export function closure(chunks: Chunks, files: readonly string[]): string[] {
  const seen = new Set(files)
  for (const file of seen) for (const next of chunks.get(file)?.imports ?? []) seen.add(next)
  return [...seen]
}
