import { Button } from 'antd'
import { useEffect, useRef, useState, type FC } from 'react'
import { useT } from '../../providers/i18n.ts'
import { StateTag } from '../../ui/state-tag.tsx'
import styles from './camera.module.css'
import { playHls, type StreamState } from './play-hls.ts'

const TONES = {
  connecting: 'plain',
  live: 'good',
  waiting: 'plain',
  paused: 'plain',
  failed: 'warning',
} as const

/** The live picture of one camera, with what is the matter when there is none. To try again is to be drawn anew. */
export const LiveVideo: FC<{ name: string; url: string; retry: () => void }> = ({ name, url, retry }) => {
  const t = useT()
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<StreamState>('connecting')
  useEffect(() => {
    const element = video.current
    return element ? playHls(element, url, setState) : undefined
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
            <p>{t('devices:camera.failed')}</p>
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
