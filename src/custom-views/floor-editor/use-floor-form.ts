import { useCallback, useEffect, useState } from 'react'
import { floor, type Floor, type FloorShape } from '../../../contract/homes/floor.ts'
import { notices } from '../../data/notices.ts'
import { useAction } from '../../data/use-action.ts'
import { floorDraftOf, redo, pushUndoStep, undo, type FloorDraft } from '../../domain/floor/draft.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { sameValue } from '../../lib/same-value.ts'
import { useTrackedRecord, type TrackedRecord } from '../../record-kit/use-tracked-record.ts'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'

type Fields = Pick<Floor, 'FloorName' | 'Order'>

export interface FloorForm extends Fields {
  shapes: readonly FloorShape[]
  canUndo: boolean
  canRedo: boolean
  isDirty: boolean
  busy: boolean
  tracked: TrackedRecord<Floor>
  /** Reasons by field path of the last rejected save. */
  refused: Readonly<Record<string, string>>
  failure: unknown
  setFields: (fields: Partial<Fields>) => void
  /** Sets new shapes; with `isSameStep` they share the previous undo step. */
  draw: (shapes: readonly FloorShape[], isSameStep?: boolean) => void
  undo: () => void
  redo: () => void
  /** Leaves without confirmation, because the floor was deleted. */
  discardUndo: () => void
  save: () => Promise<void>
}

const PARTS = [['FloorName'], ['Order'], ['Shapes']] as const

/**
 * Draft of a floor that other users may edit too: their changes are merged, conflicting ones are to be resolved.
 *
 * record  present record
 * rooms   rooms of the home; shapes of other rooms are not saved
 */
export function useFloorForm(record: Floor, rooms: ReadonlyMap<number, string>): FloorForm {
  const guard = useLeaveGuard()
  const { setDirty } = guard
  const [fields, setFields] = useState<Fields>(record)
  const [draft, setDraft] = useState<FloorDraft>(() => floorDraftOf(record.Shapes))
  const Shapes = draft.shapes
    .filter(({ RoomID }) => rooms.has(RoomID))
    .toSorted((a, b) => a.RoomID - b.RoomID)
  const tracked = useTrackedRecord<Floor>({
    record,
    parts: PARTS,
    read: () => ({ FloorName: fields.FloorName.trim(), Order: fields.Order, Shapes }),
    write: (remote, names) => {
      if (names.includes('FloorName')) setFields((all) => ({ ...all, FloorName: remote.FloorName }))
      if (names.includes('Order')) setFields((all) => ({ ...all, Order: remote.Order }))
      // Equal shapes keep the undo steps.
      if (names.includes('Shapes') && !sameValue(remote.Shapes, Shapes)) setDraft(floorDraftOf(remote.Shapes))
    },
  })
  const isDirty = Object.keys(tracked.changes().changed).length > 0
  useEffect(() => setDirty(isDirty), [setDirty, isDirty])

  const { busy, refused, failure, reset, run } = useAction(
    (change: Partial<Omit<Floor, 'Plan'>>, send) => {
      const { HomeID, FloorID } = record
      return tracked.save(() => send(floor.operations.update, { ...change, HomeID, FloorID }))
    },
    { feedback: 'both' },
  )
  const draw = useCallback(
    (shapes: readonly FloorShape[], isSameStep = false) => {
      reset()
      setDraft((before) => pushUndoStep(before, shapes, isSameStep))
    },
    [reset],
  )
  return {
    ...fields,
    shapes: draft.shapes,
    canUndo: draft.past.length > 0,
    canRedo: draft.future.length > 0,
    isDirty,
    busy,
    tracked,
    refused,
    failure,
    setFields: (next) => {
      reset()
      setFields((all) => ({ ...all, ...next }))
    },
    draw,
    undo: () => setDraft(undo),
    redo: () => setDraft(redo),
    discardUndo: () => setDirty(false),
    async save() {
      const Version = tracked.base?.Version
      const change = { ...tracked.changes().changed, ...(Version !== undefined && { Version }) }
      if (await run(change)) notices.success(() => t('screens:updated'))
    },
  }
}
