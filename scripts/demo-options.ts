import { parseArgs } from 'node:util'
import { DEMO_LANGUAGES, type DemoLanguage } from './demo-language.ts'
import { isWorkday, lastWorkdayAt, localTime, readHour } from '../simulator/scenarios/taiwan.ts'

/** Options of the demo's simulation. */
interface DemoOptions {
  /** Speed factor of people and machines. */
  speed: number
  /** Time in ms by which the demo's clock is ahead of this machine's; negative if it shows an earlier hour, 0 for the true time. */
  clockAheadMs: number
  /** No defects, now or in the past. */
  quiet: boolean
  /** Language of the names of sites, rooms, devices and rules. */
  language: DemoLanguage
  /** Text for the console, '' for none. */
  notice: string
}

/** Hours of a workday in which the demo shows the true time, and the time that it shows at all others. */
const OFFICE_HOURS = { from: 8, to: 17 } as const
const SHOWN = '10:20'

/**
 * Parses the arguments of `npm run demo`. Outside of office hours the demo shows the last workday at 10:20, from where its clock goes on.
 *
 * now       epoch ms
 * lastAtIn  time that the demo in a language had reached in an earlier run, epoch ms: its clock never goes back; undefined for a new demo
 * defaultLanguage  language of the names without `--lang`
 * returns  the options, or an error message
 */
export function readDemoOptions(
  args: readonly string[],
  now: number,
  lastAtIn: (language: DemoLanguage) => number | undefined = () => undefined,
  defaultLanguage: DemoLanguage = 'zh',
): DemoOptions | string {
  const read = parse(args)
  if (typeof read === 'string') return read
  const speed = Number(read.speed ?? 1)
  if (!(speed > 0) || !Number.isFinite(speed))
    return '--speed wants a number above 0: how many times faster people and machines live'
  const hour = readHour(read.at ?? SHOWN)
  if (hour === undefined) return '--at wants a time of day like 10:00, which the demo shows'
  const language = DEMO_LANGUAGES.find((one) => one === (read.lang ?? defaultLanguage))
  if (!language) return `--lang wants one of ${DEMO_LANGUAGES.join(', ')}: the language of the demo's names`
  const options = { speed, quiet: read.quiet ?? false, language }
  if (read.at === undefined && isOfficeHour(now)) return { ...options, clockAheadMs: 0, notice: '' }
  let shown = lastWorkdayAt(now, hour)
  const lastAt = lastAtIn(language)
  if (lastAt !== undefined && shown < lastAt) {
    if (read.at !== undefined)
      return `--at ${read.at} is before ${formatTime(lastAt)}, which this demo has reached: choose a later time, or another DATA_DIR`
    shown = Math.min(lastAt, now)
  }
  return { ...options, clockAheadMs: shown - now, notice: noticeOf(shown, read.at !== undefined) }
}

/** Language of the names in the locale of a terminal: English in an English one, else Chinese. */
export const languageOfLocale = (environment: NodeJS.ProcessEnv): DemoLanguage => {
  const { LC_ALL, LC_MESSAGES, LANG } = environment
  return /^en/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'en' : 'zh'
}

function isOfficeHour(at: number): boolean {
  const time = localTime(at)
  return isWorkday(time) && time.hour >= OFFICE_HOURS.from && time.hour < OFFICE_HOURS.to
}

function parse(
  args: readonly string[],
): { speed?: string; at?: string; quiet?: boolean; lang?: string } | string {
  try {
    return parseArgs({
      args: [...args],
      options: {
        speed: { type: 'string' },
        at: { type: 'string' },
        quiet: { type: 'boolean' },
        lang: { type: 'string' },
      },
    }).values
  } catch (error) {
    return (error as Error).message
  }
}

/** Day and hour in Taiwan, `Friday 2026/11/27 10:20`. */
function formatTime(at: number): string {
  const local = new Date(at + 8 * 3_600_000)
  const weekday = local.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
  return `${weekday} ${local.toISOString().slice(0, 16).replaceAll('-', '/').replace('T', ' ')}`
}

function noticeOf(shown: number, isChosen: boolean): string {
  const reason = isChosen ? 'by --at' : 'because people are not at work now; --at 14:00 chooses another time'
  return `
  Clock       It is ${formatTime(shown)} in the demo, ${reason}.
`
}
