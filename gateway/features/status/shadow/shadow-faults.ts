import { toMillis } from '../../../../contract/devices/status-order.ts'
import type { Events, ReportFaulty } from '../../../kernel/events.ts'
import type { Clock } from '../../../kernel/ports.ts'
import type { UpdateRequest } from './request.ts'
import type { ShadowKey } from './store.ts'

/** Maximum deviation of a hub's clock on connecting, ms; a message may arrive late, but never early. */
const CLOCK_TOLERANCE = { aheadMs: 60_000, behindMs: 300_000 }
/** Maximum number of hubs whose faults are tracked; faults of others end when they have not recurred for some days. */
const MAX_HUBS = 1_000

/** Records invalid values that hubs report of themselves and their devices, and the end of those faults. */
export function createShadowFaults({ events, clock }: { events: Events; clock: Pick<Clock, 'now'> }) {
  /** Fields with a fault, by hub and shadow. */
  const faulty = new Map<string, Set<string>>()

  function reportFaults(
    { tenant, thingName, shadowName }: ShadowKey,
    { patch: { reported }, oddValues = [] }: UpdateRequest,
  ): void {
    const faults: ReportFaulty['faults'][number][] = oddValues.map(({ path, came }) => ({
      uid: '',
      field: path,
      reason: came === undefined ? 'missing' : 'value',
      value: came,
    }))
    if (shadowName === 'info' && reported?.['online'] === true)
      faults.push(...clockFaults(reported['Timestamp'], clock.now()))
    const key = `${thingName}/${shadowName}`
    const previous = faulty.get(key)
    if (faults.length === 0 && !previous) return
    const current = new Set(faults.map(({ field }) => field))
    const recovered = [...(previous ?? [])].filter((field) => !current.has(field) && isAbout(field, reported))
    if (faults.length > 0) events.emit('reportFaulty', { tenant, thingName, message: shadowName, faults })
    if (recovered.length > 0) events.emit('reportWell', { thingName, uid: '', fields: recovered })
    const openFields = new Set(
      [...(previous ?? []), ...current].filter((field) => !recovered.includes(field)),
    )
    faulty.delete(key)
    const [oldest] = faulty.keys()
    if (faulty.size >= MAX_HUBS && oldest !== undefined) faulty.delete(oldest)
    if (openFields.size > 0) faulty.set(key, openFields)
  }

  /** Records the rejection of a whole update, with its message. */
  reportFaults.rejected = ({ tenant, thingName, shadowName }: ShadowKey, message: string): void =>
    events.emit('reportFaulty', {
      ...{ tenant, thingName, message: shadowName },
      faults: [{ uid: '', field: '', reason: 'malformed', value: message }],
    })

  return reportFaults
}

function clockFaults(timestamp: unknown, now: number): ReportFaulty['faults'][number][] {
  const millis = typeof timestamp === 'number' ? toMillis(timestamp) : undefined
  if (millis === undefined) return []
  const aheadMs = millis - now
  if (aheadMs > CLOCK_TOLERANCE.aheadMs)
    return [{ uid: '', field: 'Timestamp', reason: 'clockAhead', value: aheadMs }]
  return -aheadMs > CLOCK_TOLERANCE.behindMs
    ? [{ uid: '', field: 'Timestamp', reason: 'clockBehind', value: -aheadMs }]
    : []
}

/** Whether an update contains a field; a field of a device only if it names that device. */
function isAbout(field: string, reported: Readonly<Record<string, unknown>> | null | undefined): boolean {
  const [name = '', uid] = field.split('.')
  const value = reported?.[name]
  if (uid === undefined || !Array.isArray(value)) return value !== undefined
  return (
    /^\d+$/.test(uid) || value.some((device: { PeripheralUID?: unknown }) => device.PeripheralUID === uid)
  )
}
