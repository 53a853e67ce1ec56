/** Calls `flush` before the next frame; after a timeout while the page is hidden, because hidden pages have no frames. */
export function nextFrame(flush: () => void): void {
  if (document.hidden) setTimeout(flush, 250)
  else {
    // A page that becomes hidden before the frame gets none: the first of frame and timeout calls `flush`.
    let isDone = false
    const resolveOnce = () => {
      if (isDone) return
      isDone = true
      flush()
    }
    requestAnimationFrame(resolveOnce)
    setTimeout(resolveOnce, 500)
  }
}
