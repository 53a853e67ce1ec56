import { Alert } from 'antd'
import type { FC } from 'react'
import { TRIAL_STAGES } from '../../../contract/devices/channels/hub-setup.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { useT, type TKey, type TValues } from '../../lib/i18n/i18n.ts'
import { useConnection } from '../../live/channel.ts'
import { useHubTrial } from '../../live/hub-trials.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import type { HubTrialMessage } from '../../live/hub-trials.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Problem of a connecting hub, as a translation key with values; undefined if there is none. */
export function trialFault({
  Stage,
  Reason,
  From,
  Count = 1,
  OffBy = 0,
}: HubTrialMessage): { key: TKey; values: TValues } | undefined {
  switch (Reason) {
    case undefined:
      return undefined
    case 'wrongPassword':
      return From === undefined
        ? { key: 'setup:hub.faults.wrongPassword', values: { count: Count } }
        : { key: 'setup:hub.faults.wrongPasswordFrom', values: { count: Count, from: From } }
    case 'clockOff': {
      const skewMs = Math.abs(OffBy)
      const isHours = skewMs >= HOUR
      const count = Math.round(skewMs / (isHours ? HOUR : MINUTE))
      const direction = OffBy > 0 ? 'Ahead' : 'Behind'
      return { key: `setup:hub.faults.clock${direction}${isHours ? 'Hours' : 'Minutes'}`, values: { count } }
    }
    case 'silent':
      return { key: `setup:hub.faults.silent.${Stage}`, values: {} }
    case 'otherHome':
    case 'unknownTopic':
    case 'malformed':
      return { key: `setup:hub.faults.${Reason}`, values: {} }
  }
}

const STEPS = ['reached', 'signedIn', 'message', 'devices'] as const
type Step = (typeof STEPS)[number]

interface Props {
  homeId: string
  thingName: string
  /** Stored state: shows the connection even without trial events, e.g. after a reload. */
  hub: ThingWithState | undefined
  foundCount: number
}

export const Waiting: FC<Props> = ({ homeId, thingName, hub, foundCount }) => {
  const t = useT()
  const { message, since = {} } = useHubTrial(homeId, thingName) ?? {}
  const connection = useConnection()
  const { when } = useFormatWhen()
  const reachedIndex = Math.max(
    TRIAL_STAGES.indexOf(message?.Stage ?? 'waiting'),
    hub?.SeenAt ? TRIAL_STAGES.indexOf('signedIn') : 0,
    foundCount > 0 ? STEPS.length : 0,
  )
  const fault = message && foundCount === 0 ? trialFault(message) : undefined
  const wordOf = (step: Step, isDone: boolean) => {
    if (!isDone) return t(`setup:hub.awaited.${step}`)
    return step === 'devices'
      ? t('setup:hub.stages.found', { count: foundCount })
      : t(`setup:hub.stages.${step}`)
  }
  return (
    <section aria-live="polite">
      <ol className={page.tightStack}>
        {STEPS.map((step, i) => {
          const isDone = i < reachedIndex
          const at = step === 'devices' ? undefined : since[step]
          return (
            <li key={step} aria-current={i === reachedIndex ? 'step' : undefined}>
              <StateTag tone={isDone ? 'good' : i === reachedIndex ? 'warning' : 'offline'}>
                {wordOf(step, isDone)}
              </StateTag>
              {at !== undefined && <time dateTime={new Date(at).toISOString()}>{when(at)}</time>}
            </li>
          )
        })}
      </ol>
      {fault && <Alert showIcon type="warning" message={t(fault.key, fault.values)} />}
      {connection !== 'connected' && <Alert showIcon type="info" message={t('setup:hub.notLive')} />}
    </section>
  )
}
