/** Choices of one control within so many ms are one step: an arrow that is pressed five times, chips of one filter. */
const ONE_STEP_MS = 1_000

let last = { control: '', after: '', at: -Infinity }

/**
 * Whether an address with a choice in it takes the place of the one before, or is a step that Back undoes: a control gives one
 * step a second, and only as long as nothing else has changed the address.
 *
 * now  ms, of a clock that only rises
 */
export function isSameStep(
  before: URLSearchParams,
  after: URLSearchParams,
  now: number = performance.now(),
): boolean {
  const names = new Set([...before.keys(), ...after.keys()])
  const control = [...names]
    .filter((name) => before.getAll(name).join('\n') !== after.getAll(name).join('\n'))
    .toSorted()
    .join()
  const isSame = control === last.control && before.toString() === last.after && now - last.at < ONE_STEP_MS
  last = { control, after: after.toString(), at: now }
  return isSame
}
