import type { FC } from 'react'
import type { LastRun, LastSkip } from '../../../../contract/automation/run-states.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { formatAge } from '../../../lib/format-age.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { describeReason, toneOfRun } from './run-state.ts'
import styles from './runs.module.css'

interface Props {
  HomeID: string
  /** Undefined if it never ran, or if its outcome is unknown. */
  run: LastRun | undefined
  /** Time of the last run; null if it never ran. */
  ranAt: number | null
  skip?: LastSkip | undefined
}

/** Outcome of the last run in a list: devices that confirmed it, or the reason why not, with its time; below it a later skipped run. */
export const RunOutcome: FC<Props> = ({ HomeID, run, ranAt, skip }) => {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(HomeID)
  const now = useNow()
  const age = (at: number) => formatAge(at, now, language, zone)
  return (
    <span className={styles.outcome}>
      {run && <Outcome run={run} />}{' '}
      {!run && ranAt !== null && <StateTag tone="offline">{t('automation:run.outcome.unknown')}</StateTag>}
      {ranAt !== null ? (
        <small>{age(ranAt)}</small>
      ) : (
        !skip && <small>{t('automation:rule.neverRan')}</small>
      )}{' '}
      {skip && (
        <small>
          {t('automation:run.outcome.skipped', {
            reason: skip.Reason === null ? t('automation:run.outcome.noReason') : describeReason(skip.Reason),
            age: age(skip.At),
          })}
        </small>
      )}
    </span>
  )
}

/** Number of devices that confirmed a run, or its state and the reason of its failure. */
function Outcome({ run }: { run: LastRun }) {
  const t = useT()
  const { State, Cause, Devices, Confirmed } = run
  const counts = { count: Devices, confirmed: Confirmed }
  const reason = run.Reason ?? run.Failure
  const isAll = State === 'done' && Devices > 0 && Confirmed >= Devices
  return (
    <>
      <StateTag tone={toneOfRun(State)} {...(isAll && { icon: <span aria-hidden>✓ </span> })}>
        {Cause === 'undo' && State === 'done'
          ? t('automation:run.causes.undo')
          : isAll
            ? t('automation:run.outcome.all', counts)
            : State === 'partly' && Devices > 0
              ? t('automation:run.outcome.some', counts)
              : t(`automation:run.states.${State}`)}
      </StateTag>{' '}
      {State !== 'done' && reason !== null && <small>{describeReason(reason)}</small>}
    </>
  )
}
