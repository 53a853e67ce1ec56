/** Calls `flush` before the next frame; after a timeout while the page is hidden, because hidden pages have no frames. */
export function nextFrame(flush: () => void): void {
  if (document.hidden) setTimeout(flush, 250)
  else {
    // A page that becomes hidden before the frame gets none: the first of frame and timeout calls `flush`.
    let done = false
    const once = () => {
      if (done) return
      done = true
      flush()
    }
    requestAnimationFrame(once)
    setTimeout(once, 500)
  }
}
