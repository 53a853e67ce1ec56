/** Time without new video after which a camera counts as failed, ms. */
const STALL_TIMEOUT_MS = 15_000

/** MEDIA_ERR_DECODE: error code of a video element that cannot decode the stream. */
const UNDECODABLE = 3

/** State of the playback. */
export type StreamState = 'connecting' | 'live' | 'waiting' | 'paused' | 'failed'

/**
 * Plays an HLS stream in a video element: natively if the browser supports it, otherwise with hls.js, loaded on demand.
 *
 * told     called with every state from now on; for a failure, with whether decoding failed
 * returns  a function that stops the playback
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
  // Browsers do not start a video that is out of view, so the stall timer stops while it is.
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
  /** A paused video has no stall timeout. */
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
      // Calling load() without a source makes the browser close the stream.
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
