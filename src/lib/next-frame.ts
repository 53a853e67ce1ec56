/** Calls back before the next frame; by a timer while the page is hidden, because frames stop there. */
export function nextFrame(flush: () => void): void {
  if (document.hidden) setTimeout(flush, 250)
  else {
    // A page that is hidden between asking and drawing gets no frame: whichever comes first flushes.
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
