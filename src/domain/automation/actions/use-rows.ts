import { useEffect, useRef, useState, type DragEvent, type RefObject } from 'react'
import type { EditedAction } from '../targets/target.ts'

/** Copy of a list with one item moved to another index. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from]
  return item === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** Copy of a list with an item inserted at an index, or at the end if the list is shorter. */
const insertItem = <T>(list: readonly T[], at: number, item: T): T[] => list.toSpliced(at, 0, item)

let lastKey = 0
const newKey = () => `row${++lastKey}`

/** List rows that keep their identity while they are moved, dragged, removed and restored. */
export function useRows(
  value: readonly EditedAction[],
  onChange: (actions: EditedAction[]) => void,
  box: RefObject<HTMLElement | null>,
) {
  const [keys, setKeys] = useState(() => value.map(newKey))
  // The value was replaced from outside, e.g. by another user's change.
  if (keys.length !== value.length) setKeys(value.map(newKey))
  const [dragged, setDragged] = useState<number>()
  const [dragTarget, setDragTarget] = useState<number>()
  const [removedRow, setRemovedRow] = useState<{ at: number; action: EditedAction }>()
  /** Row and button that receive the focus after a move. */
  const focusTargetRef = useRef<{ key: string; label: string | null }>(undefined)
  useEffect(() => {
    const next = focusTargetRef.current
    focusTargetRef.current = undefined
    if (!next) return
    const row = box.current?.querySelector(`[data-row="${next.key}"]`)
    const sameButton = [...(row?.querySelectorAll('button') ?? [])].find(
      (button) => button.getAttribute('aria-label') === next.label && !button.disabled,
    )
    sameButton?.focus()
  })

  const set = (actions: EditedAction[], nextKeys: string[]) => {
    setKeys(nextKeys)
    onChange(actions)
  }
  const move = (from: number, to: number) => {
    focusTargetRef.current = {
      key: keys[from] as string,
      label: document.activeElement?.getAttribute('aria-label') ?? null,
    }
    set(moveItem(value, from, to), moveItem(keys, from, to))
  }
  return {
    keys,
    removed: removedRow,
    isOver: (i: number) => dragTarget === i && dragged !== undefined && dragged !== i,
    replace: (i: number, action: EditedAction) => onChange(value.with(i, action)),
    add(actions: EditedAction[]) {
      setRemovedRow(undefined)
      set([...value, ...actions], [...keys, ...actions.map(newKey)])
    },
    undo() {
      if (!removedRow) return
      setRemovedRow(undefined)
      set(insertItem(value, removedRow.at, removedRow.action), insertItem(keys, removedRow.at, newKey()))
    },
    movesOf: (i: number) => ({
      onMoveUp: i > 0 ? () => move(i, i - 1) : undefined,
      onMoveDown: i < value.length - 1 ? () => move(i, i + 1) : undefined,
      remove: () => {
        const action = value[i]
        if (action) setRemovedRow({ at: i, action })
        set(value.toSpliced(i, 1), keys.toSpliced(i, 1))
      },
      drag: {
        onDragStart: () => setDragged(i),
        onDragEnd: () => {
          setDragged(undefined)
          setDragTarget(undefined)
        },
      },
    }),
    removeProps: (i: number) => ({
      onDragOver: (event: DragEvent) => {
        if (dragged === undefined) return
        event.preventDefault()
        setDragTarget(i)
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        if (dragged !== undefined && dragged !== i) move(dragged, i)
        setDragged(undefined)
        setDragTarget(undefined)
      },
    }),
  }
}
