import { parseArgs } from 'node:util'
import { lastWorkdayAt, localTime, readHour } from '../simulator/scenarios/taiwan.ts'

/** Options of the demo's simulation. */
interface DemoOptions {
  /** Speed factor of people and machines. */
  speed: number
  /** World time at the start of the demo, epoch ms; undefined for real time. */
  worldStart: number | undefined
  /** No defects, now or in the past. */
  quiet: boolean
  /** Text for the console, '' for none. */
  notice: string
}

/**
 * Parses the arguments of `npm run demo`.
 *
 * now      epoch ms
 * returns  the options, or an error message
 */
export function readDemoOptions(args: readonly string[], now: number): DemoOptions | string {
  const read = parse(args)
  if (typeof read === 'string') return read
  const speed = Number(read.speed ?? 1)
  if (!(speed > 0) || !Number.isFinite(speed))
    return '--speed wants a number above 0: how many times faster people and machines live'
  const quiet = read.quiet ?? false
  if (read.at === undefined) return { speed, worldStart: undefined, quiet, notice: '' }
  const hour = readHour(read.at)
  if (hour === undefined) return '--at wants a time of day like 10:00, at which the buildings live'
  const worldStart = lastWorkdayAt(now, hour)
  return { speed, worldStart, quiet, notice: noticeOf(read.at, worldStart, now) }
}

function parse(args: readonly string[]): { speed?: string; at?: string; quiet?: boolean } | string {
  try {
    return parseArgs({
      args: [...args],
      options: { speed: { type: 'string' }, at: { type: 'string' }, quiet: { type: 'boolean' } },
    }).values
  } catch (error) {
    return (error as Error).message
  }
}

function noticeOf(time: string, worldStart: number, now: number): string {
  const day = localTime(now).day === localTime(worldStart).day ? 'today' : 'the last workday'
  return `
  NOTE        The buildings live at ${time} of ${day} (--at), not by the clock. What they report carries the true time, so
              that states and power of now do not fit the hours before. Leave --at out for the true time.
`
}
