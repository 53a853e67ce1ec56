interface DragOptions {
  /** Less than this is no drag, px. */
  least: number
  /** What the finger has drawn so far, px from the element's left. */
  onDraw: (box: { left: number; width: number }) => void
  /** The finger was lifted with a box drawn. */
  onDrawn: (box: { left: number; width: number }) => void
  /** A second finger came, or the page scrolls. */
  onCancel: () => void
}

/**
 * One finger that moves sideways draws a box, as a mouse does that is held down; up and down, and with two fingers, the page moves.
 * The element's style must leave both to the browser (`touch-action: pan-y pinch-zoom`), which cancels the finger then.
 *
 * returns  what ends it
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
