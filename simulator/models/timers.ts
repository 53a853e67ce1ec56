/** Seconds until an appliance turns itself on or off; 0 if not set. */
export interface Timers {
  onIn: number
  offIn: number
}

/** Advances the timers; `turned` is the state set by a timer that expired. */
export function runTimers({ onIn, offIn }: Timers, seconds: number): Timers & { turned: 0 | 1 | undefined } {
  const rest = (timer: number) => Math.max(0, timer - seconds)
  const ended = (timer: number) => timer > 0 && timer <= seconds
  return {
    onIn: rest(onIn),
    offIn: rest(offIn),
    turned: ended(offIn) && !(ended(onIn) && onIn > offIn) ? 0 : ended(onIn) ? 1 : undefined,
  }
}

/** Remaining hours, rounded up, as appliances show them. */
export const hoursLeft = (seconds: number): number => Math.ceil(seconds / 3600)
