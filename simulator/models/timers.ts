/** Seconds until an appliance turns itself on or off; 0 when nothing is set. */
export interface Timers {
  onIn: number
  offIn: number
}

/** Lets a span pass; `turned` is what a timer that ran out in it did. */
export function runTimers({ onIn, offIn }: Timers, seconds: number): Timers & { turned: 0 | 1 | undefined } {
  const rest = (timer: number) => Math.max(0, timer - seconds)
  const ended = (timer: number) => timer > 0 && timer <= seconds
  return {
    onIn: rest(onIn),
    offIn: rest(offIn),
    turned: ended(offIn) && !(ended(onIn) && onIn > offIn) ? 0 : ended(onIn) ? 1 : undefined,
  }
}

/** Hours that are left, begun ones counted whole, as appliances show them. */
export const hoursLeft = (seconds: number): number => Math.ceil(seconds / 3600)
