import type { DetectedFinding } from '../../logic/detected.ts'
import { type LeftOn, leftOnOf } from '../../logic/left-on.ts'
import { openQuarters } from '../../../../../contract/homes/place-facts.ts'
import { readPlaceFacts } from '../../../../domain/homes/place-facts.ts'
import type { StandingMeter } from '../../logic/ports.ts'
import { claimedDays, withoutGaps, hasHours, type HomeSnapshot } from './home-snapshot.ts'

/** Detects rooms whose loads stay on outside their hours of use. */
export async function leftOn(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const facts = await readPlaceFacts(snapshot.db, snapshot.tenant, snapshot.home.HomeID)
  const calendar = { zone: snapshot.home.zone, offPeak: snapshot.offPeakDays }
  const rooms = new Map<number, StandingMeter[]>()
  for (const meter of snapshot.leafMeters)
    rooms.set(meter.RoomID, [...(rooms.get(meter.RoomID) ?? []), meter])
  const found: DetectedFinding[] = []
  for (const [RoomID, meters] of rooms) {
    const days = claimedDays(snapshot)
    const open = days.map((day) => openQuarters(facts, RoomID, day, calendar))
    if (open.some((of) => of === undefined)) continue
    // Meter by meter: a constant load of another meter would hide the change.
    const loads = await snapshot.loads(meters.map(({ MeterID }) => MeterID))
    for (const { MeterID } of meters) {
      const of = loads.get(MeterID)
      if (!of || !hasHours(snapshot, of)) continue
      const place = { RoomID, MeterID }
      const left = leftOnOf(
        days.flatMap((day, i) => {
          const one = of.get(day)
          return one ? [{ day, kWh: one.kWh, isKnown: one.isKnown, isOpen: open[i] as Uint8Array }] : []
        }),
        snapshot.previousFinding('leftOn', place).factor,
      )
      if (left) found.push(detected(snapshot, place, left))
    }
  }
  return found
}

function detected(
  snapshot: HomeSnapshot,
  place: { RoomID: number; MeterID: string },
  left: LeftOn,
): DetectedFinding {
  return {
    kind: 'leftOn',
    place,
    from: snapshot.from,
    end: snapshot.end,
    confidence: left.days >= 5 ? 'high' : 'medium',
    why: {
      Key: 'leftOn',
      Values: { Days: left.days, Hours: left.hours, Working: left.working, Base: left.base },
    },
    claims: [{ meter: place.MeterID, kWh: withoutGaps(left.kWh), low: left.low, high: 1 }],
    evidence: {
      unit: 'hours',
      days: claimedDays(snapshot).map((day, i) => ({
        day,
        value: left.hoursByDay[i] ?? null,
        usual: 0,
        low: 0,
        high: 3,
      })),
    },
  }
}
