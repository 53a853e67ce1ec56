/** 32-bit hash of a seed and any keys, the same on every machine (FNV-1a with a murmur finish). */
export function hash(seed: number, ...keys: (string | number)[]): number {
  let h = (2_166_136_261 ^ seed) >>> 0
  for (const key of keys) {
    const text = String(key)
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16_777_619)
    h = Math.imul(h ^ 0x1f, 16_777_619)
  }
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Deterministic random number in [0, 1) of a seed and keys: a pure function, so times may be queried in any order. */
export const chance = (seed: number, ...keys: (string | number)[]): number => hash(seed, ...keys) / 2 ** 32

/** Smooth random value in [0, 1) over time, with a new target every `period` ms. */
export function wander(seed: number, key: string, at: number, period: number): number {
  const step = Math.floor(at / period)
  const share = at / period - step
  const ease = share * share * (3 - 2 * share)
  const from = chance(seed, key, step)
  return from + (chance(seed, key, step + 1) - from) * ease
}

/** Sequence of random numbers in [0, 1) for ordered events, such as faults (mulberry32). */
export function stream(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
