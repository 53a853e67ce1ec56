/** A camera that shows nothing new for so long is taken for gone, in ms. */
const SILENCE = 15_000

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
  let silence = setTimeout(fail, SILENCE)
  const listen = () => {
    clearTimeout(silence)
    silence = setTimeout(fail, SILENCE)
  }
  const heard = () => {
    listen()
    become('live')
  }
  /** Whoever stopped the picture waits for nothing. */
  const pause = () => {
    clearTimeout(silence)
    become('paused')
  }
  const listeners: [keyof HTMLMediaElementEventMap, () => void][] = [
    ['playing', heard],
    ['timeupdate', heard],
    ['waiting', () => become('waiting')],
    ['pause', pause],
    ['play', listen],
    ['error', fail],
  ]
  for (const [name, listener] of listeners) video.addEventListener(name, listener)
  become('connecting')

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
    for (const [name, listener] of listeners) video.removeEventListener(name, listener)
    detach()
  }
}
