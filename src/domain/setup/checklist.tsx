import { CheckCircleFilled } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Progress } from 'antd'
import { useEffect, type FC } from 'react'
import { setup } from '../../../contract/setup/calls.ts'
import { type SetupLine, type SetupStep } from '../../../contract/setup/steps.ts'
import { callQuery } from '../../data/api.ts'
import { savePersonalConfig, usePersonalConfig } from '../../data/personal.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import styles from './checklist.module.css'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'

/** Path of the page for a step; undefined if the step needs a site and there is none. */
function pathOfStep({ Step, HomeID }: SetupLine): string | undefined {
  if (Step === 'people') return pathTo('addUser')
  if (Step === 'rooms') return HomeID === null ? pathTo('CreateHome') : pathTo('RoomList', { HomeID })
  if (HomeID === null) return undefined
  switch (Step) {
    case 'hub':
      return `${pathTo('AddDevices', { HomeID })}?way=hub`
    case 'devices':
      return `${pathTo('AddDevices', { HomeID })}?way=devices`
    case 'meters':
      return pathTo('Meters', { HomeID })
    case 'tariff':
      return pathTo('Tariff', { HomeID })
    case 'alarms':
      return pathTo('Alarm', { HomeID })
  }
}

interface Props {
  /**
   * Called if the checklist renders nothing on a dashboard: every step is done or skipped, or the user hid it. Omitted on the checklist's
   * own page.
   */
  onComplete?: () => void
}

/** Remaining steps to set up a company, by their actual state; the user can skip a step or hide the list. */
export const Checklist: FC<Props> = ({ onComplete: nothingLeft }) => {
  const t = useT()
  const query = useQuery(callQuery(setup.getSetupState, {}))
  const { Setup } = usePersonalConfig()
  const { busy, run } = useAction(savePersonalConfig)
  const onDashboard = nothingLeft !== undefined
  const lines = query.data
  const next = lines?.find(({ Step, Done }) => !Done && !Setup.Skipped.includes(Step))
  const isHidden = onDashboard && (Setup.Hidden || (lines ? !next : query.error !== null))
  useEffect(() => {
    if (isHidden) nothingLeft?.()
  }, [isHidden, nothingLeft])
  if (isHidden) return null
  if (!lines)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <ListSkeleton rows={5} />
    )
  const doneCount = lines.filter(({ Done }) => Done).length
  if (lines.length === 0) return <p className={page.muted}>{t('setup:start.nothing')}</p>
  const save = (change: Partial<typeof Setup>) => void run({ Setup: { ...Setup, ...change } })
  const skip = (step: SetupStep) => save({ Skipped: [...Setup.Skipped, step] })
  const resume = (step: SetupStep) => save({ Skipped: Setup.Skipped.filter((skipped) => skipped !== step) })
  return (
    <Card>
      <div className={page.stack}>
        <header className={page.intro}>
          {onDashboard && <h2>{t('setup:start.title')}</h2>}
          {!next && <b>{t('setup:start.allDone')}</b>}
          <Progress
            percent={Math.round((doneCount / lines.length) * 100)}
            showInfo={false}
            aria-label={t('setup:start.progress', { done: doneCount, of: lines.length })}
          />
          <span className={page.muted}>
            {t('setup:start.progress', { done: doneCount, of: lines.length })}
          </span>
        </header>
        <ol>
          {lines.map((line) => (
            <Step
              key={line.Step}
              line={line}
              isNext={line === next}
              skipped={Setup.Skipped.includes(line.Step)}
              skip={() => skip(line.Step)}
              resume={() => resume(line.Step)}
            />
          ))}
        </ol>
        {onDashboard && (
          <div className={page.actions}>
            <Button loading={busy} onClick={() => save({ Hidden: true })}>
              {t('setup:start.hide')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

interface StepProps {
  line: SetupLine
  isNext: boolean
  skipped: boolean
  skip: () => void
  resume: () => void
}

const Step: FC<StepProps> = ({ line, isNext, skipped, skip, resume }) => {
  const t = useT()
  const { Step: step, Done, Count, Of } = line
  const to = pathOfStep(line)
  return (
    <li className={styles.step} aria-current={isNext ? 'step' : undefined} data-done={Done}>
      <span className={styles.mark}>
        {Done ? (
          <CheckCircleFilled aria-label={t('setup:start.done')} />
        ) : (
          <span aria-hidden className={styles.open} />
        )}
      </span>
      <div className={page.intro}>
        <b>{t(`setup:start.steps.${step}.name`)}</b>
        <span className={page.muted}>{t(`setup:start.steps.${step}.text`)}</span>
        {!Done && Of > 0 && (
          <span className={`${page.muted} ${page.numbers}`}>
            {t(`setup:start.steps.${step}.count`, { count: Count, of: Of })}
          </span>
        )}
      </div>
      <div className={page.tools}>
        {!Done && skipped && (
          <Button type="link" onClick={resume}>
            {t('setup:start.resume')}
          </Button>
        )}
        {!Done && !skipped && (
          <>
            <Button type="text" onClick={skip}>
              {t('setup:start.later')}
            </Button>
            {to === undefined ? (
              <span className={page.muted}>{t('setup:start.siteFirst')}</span>
            ) : (
              <ButtonLink main={isNext} to={to}>
                {t(`setup:start.steps.${step}.act`)}
              </ButtonLink>
            )}
          </>
        )}
      </div>
    </li>
  )
}
