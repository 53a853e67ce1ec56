import { createTrackCursor, type Track } from '../logic/replay.ts'

/** What one meter of a virtual meter counted: added (1) or taken away (-1). */
export interface TermTrack {
  Factor: 1 | -1
  track: Track
}

/** Moments between two pauses: a few milliseconds of work. */
const PAUSE_AFTER = 1_000

/**
 * What some meters counted together, as the engine adds them: known while it is known of each.
 *
 * terms    of one meter each: what it counted in the period that runs
 * to       epoch ms: what is not known at last is not known until then
 * yields   now and then, so that other work can be done
 */
export function* addedTrack(terms: readonly TermTrack[], to: number): Generator<undefined, Track> {
  const heads = terms.map(({ track }) => createTrackCursor(track, -Infinity))
  const track = { at: [] as number[], values: [] as number[] }
  const unknown: { from: number; to: number }[] = []
  let since: number | undefined
  for (let count = 1; ; count++) {
    let at = Infinity
    for (const head of heads) at = Math.min(at, head.next())
    if (at === Infinity) break
    if (count % PAUSE_AFTER === 0) yield
    for (const head of heads) while (head.next() === at) head.advance()
    let sum: number | undefined = 0
    for (const [i, { Factor }] of terms.entries()) {
      const value = heads[i]!.value()
      sum = sum === undefined || value === undefined ? undefined : sum + Factor * value
    }
    if (sum === undefined) {
      if (track.at.length > 0) since ??= at
      continue
    }
    if (since !== undefined) unknown.push({ from: since, to: at })
    since = undefined
    track.at.push(at)
    track.values.push(sum)
  }
  if (since !== undefined && since < to) unknown.push({ from: since, to })
  return { ...track, goodFor: null, unknown, isMeasured: true }
}
