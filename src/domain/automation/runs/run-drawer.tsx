import { Button } from 'antd'
import { useState } from 'react'
import type { Run } from '../../../../contract/automation/run-calls.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed, EmptyState } from '../../../ui/page/states.tsx'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { useActionFacts } from '../targets/use-action-facts.ts'
import { RunDetail } from './run-detail.tsx'
import { describeReason, progressOf, toneOfRun } from './run-state.ts'
import styles from './runs.module.css'
import { useLiveRun, useRun, useRuns, type RunsQuery } from './use-runs.ts'
import { Drawer } from '../../../ui/page/dialog.tsx'

interface Props {
  title: string
  /** Query of the list of runs; undefined to show a single run. */
  query?: RunsQuery | undefined
  HomeID: string
  /** Run that is open initially. */
  runId?: string | undefined
  close: () => void
}

/** Drawer with the last runs of a scene or an automation, and one of them in full; opens from the right, on phones from below. */
export default function RunDrawer({ title, query, HomeID, runId, close }: Props) {
  const t = useT()
  const [open, setOpen] = useState(runId)
  return (
    <Drawer
      focusAtFirst="dialog"
      open
      onClose={close}
      title={title}
      extra={
        open !== undefined &&
        query && <Button onClick={() => setOpen(undefined)}>{t('automation:run.allRuns')}</Button>
      }
    >
      {open !== undefined ? (
        <OneRun key={open} HomeID={HomeID} runId={open} follow={setOpen} />
      ) : (
        query && <RunList runsQuery={query} open={setOpen} />
      )}
    </Drawer>
  )
}

function OneRun(props: { HomeID: string; runId: string; follow: (runId: string) => void }) {
  const t = useT()
  const facts = useActionFacts(props.HomeID)
  const { run, progress, error, refetch } = useRun(props.HomeID, props.runId)
  if (run) return <RunDetail run={run} facts={facts} openRun={props.follow} />
  if (progress?.Reason && run === null)
    return (
      <p role="alert">
        <StateTag tone="alarm">{describeReason(progress.Reason)}</StateTag>
      </p>
    )
  if (error) return <LoadFailed error={error} retry={() => void refetch()} />
  return run === null ? <EmptyState message={t('automation:run.gone')} /> : <ListSkeleton rows={6} />
}

function RunList({ runsQuery: query, open }: { runsQuery: RunsQuery; open: (runId: string) => void }) {
  const t = useT()
  const { data, error, refetch } = useRuns(query)
  if (error && !data) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data) return <ListSkeleton rows={8} />
  if (data.Rows.length === 0) return <EmptyState message={t('automation:run.none')} />
  return (
    <ul>
      {data.Rows.map((run) => (
        <RunLine key={run.RunID} run={run} open={() => open(run.RunID)} />
      ))}
    </ul>
  )
}

function RunLine({ run, open }: { run: Run; open: () => void }) {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(run.HomeID)
  const live = useLiveRun(run) ?? run
  const { confirmed, total } = progressOf(live)
  return (
    <li>
      <button type="button" className={styles.run} onClick={open}>
        <span>
          <time dateTime={new Date(run.BeganAt).toISOString()}>
            {formatWhen(run.BeganAt, language, zone)}
          </time>
          <small className={page.muted}>
            {run.By === null
              ? t(`automation:run.causes.${run.Cause}`)
              : t('automation:run.by', { cause: t(`automation:run.causes.${run.Cause}`), person: run.By })}
          </small>
        </span>
        <span>
          <StateTag tone={toneOfRun(live.State)}>{t(`automation:run.states.${live.State}`)}</StateTag>
          {total > 0 && <small>{t('automation:run.progress', { confirmed, total })}</small>}
        </span>
      </button>
    </li>
  )
}
