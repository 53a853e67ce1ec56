import type { Rolldown } from 'vite'

/** Files of a build by their names. */
export type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>

export const chunksOf = (bundle: Rolldown.OutputBundle): Chunks =>
  new Map(
    Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  )

/** These files and all that they import. */
export function closure(chunks: Chunks, files: readonly string[]): string[] {
  const seen = new Set(files)
  for (const file of seen) for (const next of chunks.get(file)?.imports ?? []) seen.add(next)
  return [...seen]
}
