interface DragOptions {
  /** Minimum length of a drag, px. */
  least: number
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
  { least, onDraw, onDrawn, onCancel }: DragOptions,
): () => void {
  let finger: { id: number; from: number } | undefined
  let box: { left: number; width: number } | undefined

  const placeOf = ({ clientX }: PointerEvent): number => {
    const { left, width } = element.getBoundingClientRect()
    return Math.min(Math.max(0, clientX - left), width)
  }
  function give() {
    const drawn = box
    finger = box = undefined
    if (drawn) onCancel()
  }
  function down(event: PointerEvent) {
    if (event.pointerType !== 'touch') return
    if (event.isPrimary) finger = { id: event.pointerId, from: placeOf(event) }
    else give()
  }
  function move(event: PointerEvent) {
    if (event.pointerId !== finger?.id) return
    const at = placeOf(event)
    const width = Math.abs(at - finger.from)
    if (!box && width < least) return
    box = { left: Math.min(at, finger.from), width }
    onDraw(box)
  }
  function up(event: PointerEvent) {
    if (event.pointerId !== finger?.id) return
    const drawn = box
    finger = box = undefined
    if (!drawn) return
    if (drawn.width < least) onCancel()
    else onDrawn(drawn)
  }
  const ended = new AbortController()
  const { signal } = ended
  element.addEventListener('pointerdown', down, { signal })
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointerup', up, { signal })
  element.addEventListener('pointercancel', give, { signal })
  return () => ended.abort()
}
