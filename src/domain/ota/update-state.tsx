import { Progress } from 'antd'
import type { FC } from 'react'
import type { OtaState, OtaUpdate } from '../../../contract/devices/ota-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'

const TONES: Record<OtaState, Tone> = {
  waiting: 'plain',
  sent: 'on',
  downloading: 'on',
  installing: 'on',
  restarting: 'on',
  succeeded: 'good',
  failed: 'alarm',
  cancelled: 'offline',
}

/** Time after a success in which a device may still be starting its services, ms. */
const STARTUP_GRACE_MS = 300_000

/** State of a device's update; the outcome uses the terms of §8. */
export const UpdateState: FC<{ update: OtaUpdate }> = ({ update }) => {
  const t = useT()
  const now = useNow()
  const { State, Code, Progress: percent } = update
  const busy = State === 'downloading' || State === 'installing'
  const outcome =
    State === 'succeeded' && now - (update.SettledAt ?? 0) < STARTUP_GRACE_MS
      ? 'success'
      : State === 'failed' || State === 'sent'
        ? (Code ?? 5)
        : undefined
  return (
    <div className={page.field}>
      <StateTag tone={TONES[State]}>{t(`ota:states.${State}`, { progress: Math.round(percent) })}</StateTag>
      {busy && <Progress percent={percent} size="small" showInfo={false} aria-hidden />}
      {outcome !== undefined && <small>{t(`ota:outcomes.${outcome}`)}</small>}
    </div>
  )
}
