import type { FC } from 'react'
import { RUN_STATES } from '../../../../contract/automation/run-calls.ts'
import { RunButton } from '../../../domain/automation/runs/run-button.tsx'
import { toneOfRun } from '../../../domain/automation/runs/run-state.ts'
import { useMay } from '../../../data/session.ts'
import { formatAge } from '../../../lib/format-age.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import type { ListedRule } from '../rules/kinds.ts'
import styles from './rule-list.module.css'

/** Time and outcome of a rule's last run. */
export const LastRun: FC<{ rule: ListedRule }> = ({ rule }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const { LastRunAt, LastResult } = rule
  const state = RUN_STATES.find((one) => one === LastResult)
  return (
    <span className={styles.last}>
      {state && <StateTag tone={toneOfRun(state)}>{t(`automation:run.states.${state}`)}</StateTag>}
      <small>
        {LastRunAt === null ? t('automation:rule.neverRan') : formatAge(LastRunAt, now, language)}
      </small>
    </span>
  )
}

/** Button that shows the last runs of a rule. */
export const RuleRuns: FC<{ rule: ListedRule; small?: boolean }> = ({ rule, small = false }) => {
  const t = useT()
  const mayReadRuns = useMay('device', 'Read')
  const { HomeID, AutomationID, AutomationName, AutomationType, Actions } = rule
  // An alarm that only notifies has no runs.
  if (!mayReadRuns || (AutomationType === 4 && Actions.length === 0)) return null
  return (
    <RunButton HomeID={HomeID} name={AutomationName} query={{ HomeID, AutomationID }} small={small}>
      {t('automation:scene.runs')}
    </RunButton>
  )
}
