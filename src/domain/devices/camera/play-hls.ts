/** A camera that shows nothing new for so long is taken for gone, in ms. */
const STALL_TIMEOUT_MS = 15_000

/** What a video element's error is called that came of the picture's coding (MEDIA_ERR_DECODE). */
const UNDECODABLE = 3

/** Where a live picture stands. */
export type StreamState = 'connecting' | 'live' | 'waiting' | 'paused' | 'failed'

/**
 * Plays an HLS stream in a video element: natively where the browser can, else by a player that is loaded on demand.
 *
 * told     hears of every state from now on; of a failure whether it was for the coding of the picture
 * returns  how to stop
 */
export function playHls(
  video: HTMLVideoElement,
  url: string,
  told: (state: StreamState, undecodable?: boolean) => void,
): () => void {
  let stopped = false
  let detach = () => {}
  const become = (state: StreamState, undecodable?: boolean) => {
    if (!stopped) told(state, undecodable)
  }
  const fail = () => become('failed', video.error?.code === UNDECODABLE)
  let silence: NodeJS.Timeout | undefined
  let isSeen = true
  let isHeld = false
  const listen = () => {
    clearTimeout(silence)
    if (isSeen && !isHeld) silence = setTimeout(fail, STALL_TIMEOUT_MS)
  }
  // A browser begins no picture that is out of view: it is not silent for that.
  const sight = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)?.isIntersecting ?? isSeen
    listen()
  })
  const goOn = () => {
    isHeld = false
    listen()
  }
  const heard = () => {
    goOn()
    become('live')
  }
  /** Whoever stopped the picture waits for nothing. */
  const pause = () => {
    isHeld = true
    clearTimeout(silence)
    become('paused')
  }
  const listeners: [keyof HTMLMediaElementEventMap, () => void][] = [
    ['playing', heard],
    ['timeupdate', heard],
    ['waiting', () => become('waiting')],
    ['pause', pause],
    ['play', goOn],
    ['error', fail],
  ]
  for (const [name, listener] of listeners) video.addEventListener(name, listener)
  become('connecting')
  listen()
  sight.observe(video)

  if (video.canPlayType('application/vnd.apple.mpegurl')) {
    video.src = url
    detach = () => {
      video.removeAttribute('src')
      // Only then the browser lets the stream go.
      video.load()
    }
  } else
    import('hls.js').then(({ default: Hls }) => {
      if (stopped) return
      if (!Hls.isSupported()) return fail()
      const player = new Hls({ liveDurationInfinity: true })
      player.on(Hls.Events.ERROR, (_event, { fatal, details }) => {
        if (fatal) become('failed', /codec/i.test(details))
      })
      player.loadSource(url)
      player.attachMedia(video)
      detach = () => player.destroy()
    }, fail)

  return () => {
    stopped = true
    clearTimeout(silence)
    sight.disconnect()
    for (const [name, listener] of listeners) video.removeEventListener(name, listener)
    detach()
  }
}
