import { useState } from 'react'
import { meterCorrections } from '../../../../contract/meters/correction-calls.ts'
import { dayOf, startOfDay, QUARTER_MS } from '../../../../contract/time/periods.ts'
import { useMay } from '../../../data/session.ts'
import { describeFields } from '../../../data/failure.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as tNow } from '../../../lib/i18n/i18n.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import type { Guard, Place } from '../common/place.ts'
import type { MetersAddress } from '../common/use-address.ts'
import { useReadings, useSpanEnergy } from '../common/use-meters.ts'
import { fromWallTimeInput } from '../../../lib/wall-input.ts'
import { intervalsOf, type Sample } from '../../../../contract/meters/intervals.ts'
import { validateReadings, type Reading } from '../../../../contract/meters/validate-readings.ts'
import {
  type Replacement as StoredReplacement,
  withReplacements,
} from '../../../../contract/meters/replacements.ts'

export type Replacement = ReturnType<typeof useReplacement>

/** State of the replacement form: input, values suggested by the readings, and the effect. */
export function useReplacement({
  place,
  address,
  guard,
}: {
  place: Place
  address: MetersAddress
  guard: Guard
}) {
  const { homeId, zone, meters } = place
  const now = useNow()
  const { busy, refused, reset, run } = useAction(meterCorrections.createMeterCorrection, {
    feedback: 'fields',
  })
  const faults = describeFields(refused)
  const [wall, setWall] = useState(address.moments.at ?? '')
  // Undefined until the user types; then the suggestion applies.
  const [old, setOldKwh] = useState<number | null>()
  const [first, setNewKwh] = useState<number | null>()
  const [note, setNote] = useState('')

  const meter = address.meter !== undefined && meters.has(address.meter) ? address.meter : undefined
  const at = fromWallTimeInput(wall, zone)
  const inFuture = at !== undefined && at > now
  const knownValues = useKnown(place, meter, inFuture ? undefined : at)
  const oldKwh = old === undefined ? (knownValues.around?.before?.kwh ?? null) : old
  const newKwh = first === undefined ? (knownValues.around?.after?.kwh ?? null) : first
  const entered = at !== undefined && oldKwh !== null && newKwh !== null ? { at, oldKwh, newKwh } : undefined

  /** Values entered for another meter or time do not apply to this one. */
  const forgetValues = () => {
    setOldKwh(undefined)
    setNewKwh(undefined)
    reset()
  }
  /** Stores input and marks the form as unsaved. */
  const onEdit =
    <T>(setValue: (value: T) => void) =>
    (value: T) => {
      guard.setDirty(true)
      setValue(value)
    }
  const clear = () => {
    setWall('')
    forgetValues()
    setNote('')
    guard.setDirty(false)
  }

  return {
    ...knownValues,
    ...{ place, meter, wall, inFuture, now, oldKwh, newKwh, entered, note, busy, faults },
    placed: meter !== undefined && at !== undefined && !inFuture,
    setMeter(id: string) {
      address.openTab('replace', id)
      forgetValues()
    },
    setWall: onEdit((next: string) => {
      setWall(next)
      forgetValues()
    }),
    setOldKwh: onEdit(setOldKwh),
    setNewKwh: onEdit(setNewKwh),
    setNote: onEdit(setNote),
    /** Resolves true if it was saved; the form is then ready for the next one. */
    async send(): Promise<boolean> {
      if (meter === undefined || !entered) return false
      const isDone = await run(
        {
          HomeID: homeId,
          PeripheralUID: meter,
          Kind: 'replacement',
          From: entered.at,
          OldKwh: entered.oldKwh,
          NewKwh: entered.newKwh,
          Note: note,
        },
        () => tNow('meters:saved'),
      )
      if (isDone) clear()
      return isDone !== undefined
    },
  }
}

/** Readings around a time, if the user has the right to read them, and the energy of that day. */
function useKnown({ homeId, zone }: Place, meter: string | undefined, at: number | undefined) {
  const mayReadHistory = useMay('history', 'Read')
  const day = at === undefined ? 0 : dayOf(at, zone)
  const span = { from: startOfDay(day, zone), to: startOfDay(day + 1, zone) }
  const readings = useReadings(homeId, mayReadHistory ? meter : undefined, at, zone)
  const energy = useSpanEnergy(homeId, meter, at === undefined ? undefined : span, zone)
  const adjacent = readings.data && at !== undefined ? adjacentReadings(readings.data, at) : undefined
  return { mayLookBack: mayReadHistory, day, span, readings, energy, around: adjacent }
}

/** Effect of a replacement: kWh of its day, and the quarantined readings that it causes. */
export function effectOf({ readings, entered, span }: Pick<Replacement, 'readings' | 'entered' | 'span'>) {
  if (!readings.data || !entered) return { kwh: undefined, quarantined: 0 }
  return {
    kwh: replacementEffect(readings.data, entered, span.from, span.to),
    quarantined: quarantinedBy(readings.data, entered),
  }
}

/** The last reading before a time, and the first at or after it. */
export interface AdjacentReadings {
  before: Sample | undefined
  after: Sample | undefined
}

/** readings  ascending */
export function adjacentReadings(readings: readonly Sample[], at: number): AdjacentReadings {
  return {
    before: readings.findLast(({ timestamp }) => timestamp < at),
    after: readings.find(({ timestamp }) => timestamp >= at),
  }
}

/**
 * Change in the energy of a range when a replacement is entered, in kWh: computed by the gateway's rules, with and without it.
 *
 * readings  ascending, with one before and one after the range if available
 * from, to whole quarter hours, epoch ms; `to` is exclusive
 */
export function replacementEffect(
  readings: readonly Sample[],
  replacement: StoredReplacement,
  from: number,
  to: number,
): number {
  const energy = (samples: readonly Reading[]) =>
    intervalsOf(validateReadings(samples).accepted, from / QUARTER_MS, to / QUARTER_MS).kwh.reduce(
      (sum, kwh) => sum + kwh,
      0,
    )
  return energy(withReplacements(readings, [replacement])) - energy(readings)
}

/**
 * Number of stored readings that a replacement would newly quarantine: those that the new meter cannot have shown, starting from
 * its stated first value.
 *
 * readings  ascending
 */
export function quarantinedBy(readings: readonly Sample[], replacement: StoredReplacement): number {
  const before = validateReadings(readings).quarantined.length
  return Math.max(0, validateReadings(withReplacements(readings, [replacement])).quarantined.length - before)
}
