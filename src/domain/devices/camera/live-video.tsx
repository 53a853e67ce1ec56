import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useRef, useState, type FC } from 'react'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import type { PeripheralKey } from '../../../../contract/devices/peripheral.ts'
import { callQuery } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import styles from './camera.module.css'
import { playHls, type StreamState } from './play-hls.ts'

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
