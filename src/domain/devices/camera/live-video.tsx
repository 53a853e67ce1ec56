import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useRef, useState, type FC } from 'react'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import type { PeripheralKey } from '../../../../contract/devices/peripheral.ts'
import { callQuery } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import styles from './camera.module.css'

/** Time without new video after which a camera counts as failed, ms. */
const STALL_TIMEOUT_MS = 15_000

/** MEDIA_ERR_DECODE: error code of a video element that cannot decode the stream. */
const UNDECODABLE = 3

/** State of the playback. */
export type StreamState = 'connecting' | 'live' | 'waiting' | 'paused' | 'failed'

/**
 * Plays an HLS stream in a video element: natively if the browser supports it, otherwise with hls.js, loaded on demand.
 *
 * onState     called with every state from now on; for a failure, with whether decoding failed
 * returns  a function that stops the playback
 */
export function playHls(
  video: HTMLVideoElement,
  url: string,
  onState: (state: StreamState, undecodable?: boolean) => void,
): () => void {
  let stopped = false
  let detach = () => {}
  const reportState = (state: StreamState, undecodable?: boolean) => {
    if (!stopped) onState(state, undecodable)
  }
  const fail = () => reportState('failed', video.error?.code === UNDECODABLE)
  let silenceTimer: NodeJS.Timeout | undefined
  let isSeen = true
  let isPaused = false
  const listen = () => {
    clearTimeout(silenceTimer)
    if (isSeen && !isPaused) silenceTimer = setTimeout(fail, STALL_TIMEOUT_MS)
  }
  // Browsers do not start a video that is out of view, so the stall timer stops while it is.
  const visibility = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)?.isIntersecting ?? isSeen
    listen()
  })
  const resumeTimer = () => {
    isPaused = false
    listen()
  }
  const onProgress = () => {
    resumeTimer()
    reportState('live')
  }
  /** A paused video has no stall timeout. */
  const pause = () => {
    isPaused = true
    clearTimeout(silenceTimer)
    reportState('paused')
  }
  const listeners: [keyof HTMLMediaElementEventMap, () => void][] = [
    ['playing', onProgress],
    ['timeupdate', onProgress],
    ['waiting', () => reportState('waiting')],
    ['pause', pause],
    ['play', resumeTimer],
    ['error', fail],
  ]
  for (const [name, listener] of listeners) video.addEventListener(name, listener)
  reportState('connecting')
  listen()
  visibility.observe(video)

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
        if (fatal) reportState('failed', /codec/i.test(details))
      })
      player.loadSource(url)
      player.attachMedia(video)
      detach = () => player.destroy()
    }, fail)

  return () => {
    stopped = true
    clearTimeout(silenceTimer)
    visibility.disconnect()
    for (const [name, listener] of listeners) video.removeEventListener(name, listener)
    detach()
  }
}

const TONES = {
  connecting: 'plain',
  live: 'good',
  waiting: 'plain',
  paused: 'plain',
  failed: 'warning',
} as const

interface Props {
  camera: PeripheralKey
  name: string
  url: string
  retry: () => void
}

/** Live picture of one camera, or the reason why there is none. The parent remounts it to retry. */
export const LiveVideo: FC<Props> = ({ camera, name, url, retry }) => {
  const t = useT()
  const video = useRef<HTMLVideoElement>(null)
  const [{ state, undecodable }, setStreamState] = useState<{
    state: StreamState
    undecodable?: boolean | undefined
  }>({
    state: 'connecting',
  })
  useEffect(() => {
    const element = video.current
    return element
      ? playHls(element, url, (next, codec) => setStreamState({ state: next, undecodable: codec }))
      : undefined
  }, [url])
  return (
    <figure className={styles.figure}>
      <div className={styles.frame}>
        <video
          ref={video}
          muted
          autoPlay
          playsInline
          controls={state !== 'failed'}
          aria-label={t('devices:camera.picture', { name })}
        />
        {state === 'failed' && (
          <div className={styles.cover} role="alert">
            <Fault camera={camera} undecodable={undecodable === true} />
            <Button onClick={retry}>{t('screens:retry')}</Button>
          </div>
        )}
      </div>
      <figcaption>
        <StateTag tone={TONES[state]}>{t(`devices:camera.states.${state}`)}</StateTag>
      </figcaption>
    </figure>
  )
}

/** Reason why there is no picture, queried from the camera. */
const Fault: FC<{ camera: PeripheralKey; undecodable: boolean }> = ({ camera, undecodable }) => {
  const t = useT()
  const { data, error } = useQuery({
    ...callQuery(cameraAndIr.casaGetStreamFault, camera),
    gcTime: 0,
    retry: false,
  })
  if (error) return <p>{t('devices:camera.failed')}</p>
  if (!data) return <p>{t('devices:camera.asking')}</p>
  const fault = data.Fault ?? (undecodable ? 'codec' : 'noPicture')
  return <p>{t(`devices:camera.faults.${fault}`)}</p>
}
