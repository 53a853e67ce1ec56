interface DragOptions {
  /** Minimum length of a drag, px. */
  minWidth: number
  /** Called while the finger moves; px from the element's left edge. */
  onDraw: (box: { left: number; width: number }) => void
  /** Called when the finger is lifted after a drag. */
  onDrawn: (box: { left: number; width: number }) => void
  /** Called on a second finger, or when the page scrolls. */
  onCancel: () => void
}

/**
 * Lets one finger that moves horizontally draw a box, as dragging a mouse does; vertical moves and two fingers move the page.
 * The element's style must leave both to the browser (`touch-action: pan-y pinch-zoom`), which then cancels the touch.
 *
 * returns  a function that removes the listeners
 */
export function touchDrag(
  element: HTMLElement,
  { minWidth, onDraw, onDrawn, onCancel }: DragOptions,
): () => void {
  let touch: { id: number; from: number } | undefined
  let box: { left: number; width: number } | undefined

  const placeOf = ({ clientX }: PointerEvent): number => {
    const { left, width } = element.getBoundingClientRect()
    return Math.min(Math.max(0, clientX - left), width)
  }
  function give() {
    const drawnBox = box
    touch = box = undefined
    if (drawnBox) onCancel()
  }
  function handlePointerDown(event: PointerEvent) {
    if (event.pointerType !== 'touch') return
    if (event.isPrimary) touch = { id: event.pointerId, from: placeOf(event) }
    else give()
  }
  function move(event: PointerEvent) {
    if (event.pointerId !== touch?.id) return
    const at = placeOf(event)
    const width = Math.abs(at - touch.from)
    if (!box && width < minWidth) return
    box = { left: Math.min(at, touch.from), width }
    onDraw(box)
  }
  function handlePointerUp(event: PointerEvent) {
    if (event.pointerId !== touch?.id) return
    const drawnBox = box
    touch = box = undefined
    if (!drawnBox) return
    if (drawnBox.width < minWidth) onCancel()
    else onDrawn(drawnBox)
  }
  const controller = new AbortController()
  const { signal } = controller
  element.addEventListener('pointerdown', handlePointerDown, { signal })
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointerup', handlePointerUp, { signal })
  element.addEventListener('pointercancel', give, { signal })
  return () => controller.abort()
}
